import { identifierPrefix, type IdentifierKind } from '../identifiers/identifier';
import { externalId, identifier } from './text';

/**
 * Returns the schema of a list's filter by an id. Text without the prefix of such an id, such as a slug or the id of
 * another kind, is refused, because the list would look empty.
 *
 * @param instead which filter takes the name that callers mistake for the id
 */
export function idFilter(kind: IdentifierKind, instead?: string) {
  const prefix = identifierPrefix(kind);
  const noun = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const error = `is not the id of a ${noun} (${prefix}…)${instead === undefined ? '' : `; ${instead}`}`;
  return identifier
    .refine((id) => id.startsWith(prefix), {
      error,
      params: { fix: `Send an id that begins with ${prefix}.` },
    })
    .optional()
    .meta({ description: `Only those of the ${noun} with this \`id\` (\`${prefix}…\`).` });
}

/** The filters by a customer, of which a caller uses one. */
export const customerFilters = {
  customerId: idFilter('customer', 'your own id of a customer is `externalId`'),
  externalId: externalId
    .optional()
    .meta({ description: 'Only those of the customer with this `externalId`.' }),
};
