import { z } from 'zod';
import { roles } from '../operators/roles';
import { timeSchema, toTime } from '../schemas/instant';
import type { InvitationRow } from './invitation-store';
import type { MemberRow } from './member-store';

/** A member of an organization; `id` is the operator's. */
export const memberSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: z.enum(roles),
    joinedAt: timeSchema,
  })
  .meta({ id: 'Member' });

export type MemberResource = z.output<typeof memberSchema>;

export function toMemberResource(row: MemberRow): MemberResource {
  return {
    id: row.operator_id,
    email: row.email,
    name: row.name,
    role: row.role,
    joinedAt: toTime(row.created_at),
  };
}

/** An invitation that can still be accepted. Its link is not part of it: that is shown once, when it is made. */
export const invitationSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(roles),
    invitedBy: z.string().meta({ description: 'The id of the operator who invites.' }),
    createdAt: timeSchema,
    expiresAt: timeSchema,
  })
  .meta({ id: 'Invitation' });

export type InvitationResource = z.output<typeof invitationSchema>;

export function toInvitationResource(row: InvitationRow): InvitationResource {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: row.invited_by,
    createdAt: toTime(row.created_at),
    expiresAt: toTime(row.expires_at),
  };
}
