import { z } from 'zod';
import { planSchema } from '../catalog/plan-resource';
import { customerSchema } from '../customers/customer-resource';

/** Resources that can be included with another. */
export type ExpansionName = 'customer' | 'plan';

/** Resources requested by `expand`. */
const expandedSchema = z
  .object({
    customer: customerSchema.optional(),
    plan: planSchema.optional().meta({ description: 'Omitted if the resource has no plan.' }),
  })
  .meta({ id: 'Expanded' });
export type Expanded = z.output<typeof expandedSchema>;

/** Member of a resource that can include others. */
export const expandable = {
  expanded: expandedSchema.optional().meta({ description: 'The resources requested by `expand`.' }),
};

/** Returns the query parameter `expand`: names, separated by commas. */
export function expandQuery(names: readonly ExpansionName[]) {
  const among = names.join(',');
  return {
    expand: z
      .string()
      .transform((value) => value.split(','))
      .refine((requested) => requested.every((name) => names.some((one) => one === name)), {
        error: `is not among ${among}, separated by commas`,
        params: { fix: 'Send only names of these.' },
      })
      .transform((requested) => requested as ExpansionName[])
      .optional()
      .meta({
        type: 'string',
        example: among,
        description: `Resources to include in \`expanded\`, separated by commas: ${names.map((name) => `\`${name}\``).join(', ')}.`,
      }),
  };
}
