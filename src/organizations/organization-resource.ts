import { z } from 'zod';
import { roles, type Role } from '../operators/roles';
import { timeSchema, toTime } from '../schemas/instant';
import type { OrganizationRow } from './organization-store';

/** An organization as shown to its members. */
export const organizationSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    role: z.enum(roles).meta({ description: 'Your role in this organization.' }),
    requireSecondFactor: z
      .boolean()
      .meta({ description: 'Whether members without a second factor can only set one up.' }),
    createdAt: timeSchema,
  })
  .meta({ id: 'Organization' });

export type OrganizationResource = z.output<typeof organizationSchema>;

export function toOrganizationResource(row: OrganizationRow, role: Role): OrganizationResource {
  return {
    id: row.workspace_id,
    name: row.name,
    slug: row.slug,
    role,
    requireSecondFactor: row.require_second_factor,
    createdAt: toTime(row.created_at),
  };
}
