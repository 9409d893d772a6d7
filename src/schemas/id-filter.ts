import { z } from 'zod';
import { identifierPattern, type IdentifierKind } from '../identifiers/identifier';
import { externalId } from './text';

/**
 * Returns the schema of a list's filter by an id. Text that cannot be such an id, such as a slug or the id at a
 * provider, is refused, because the list would look empty.
 *
 * @param instead which filter takes the name that callers mistake for the id
 */
export function idFilter(kind: IdentifierKind, instead?: string) {
  const pattern = identifierPattern(kind);
  const [prefix] = pattern.source.slice(1).split('_');
  const noun = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const error = `is not the id of a ${noun} (${prefix}_…)${instead === undefined ? '' : `; ${instead}`}`;
  return z
    .string()
    .refine((id) => pattern.test(id), { error })
    .optional()
    .meta({ description: `Only those of the ${noun} with this \`id\` (\`${prefix}_…\`).` });
}

/** The filters by a customer, of which a caller uses one. */
export const customerFilters = {
  customerId: idFilter('customer', 'your own id of a customer is `externalId`'),
  externalId: externalId
    .optional()
    .meta({ description: 'Only those of the customer with this `externalId`.' }),
};
