import { z } from 'zod';
import { changeInput, effectiveSchema, type ChangeInput } from './change-resource';

/** What a customer was shown of a change when they agreed to it. */
export const shownChangeInput = z.strictObject({
  effective: effectiveSchema,
  dueNow: z.string().regex(/^-?\d{1,18}$/, { error: 'is not a whole number of minor units, as text' }),
});

/** A change as its operation keeps it: what was asked for, and what was shown to who asked, where a page showed it. */
export type ChangeOrder = ChangeInput & { shown?: z.output<typeof shownChangeInput> | undefined };

export function readChangeOrder({ shown, ...request }: Readonly<Record<string, unknown>>): ChangeOrder {
  return { ...changeInput.parse(request), shown: shownChangeInput.optional().parse(shown) };
}
