import { z } from 'zod';
import { decimalFromNumber } from '../domain/decimal';
import { positiveDecimal } from '../schemas/decimal';
import { line, pathName } from '../schemas/text';

/** The integrator's own name of one of a customer's users, projects or similar. */
export const entityInput = pathName.meta({
  description:
    'The customer’s user, project or similar that uses it. The first use creates it; a plan may limit the number of entities and the usage of each.',
  example: 'user_17',
});

/** The question of a check or track about a customer. */
export const usageQuestion = z.strictObject({
  // Any line: a key that does not exist is a 404, whatever its form.
  feature: line({ min: 1, max: 255 }).meta({ example: 'ai_tokens' }),
  quantity: positiveDecimal
    .transform(decimalFromNumber)
    .meta({ description: 'Units: above 0, at most 10^12, at most six decimals.', example: 500 }),
  entity: entityInput.optional(),
});
