import { z } from 'zod';
import { roleAllows, roles, type Role } from '../operators/roles';
import { timeSchema, toTime } from '../schemas/instant';
import { accessGrantSchema } from './access-review-resource';
import type { NewInvitationRow } from './invitation-store';
import type { MemberRow } from './member-store';

/** A member of an organization; `id` is the operator's. */
export const memberSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: z.enum(roles),
    joinedAt: timeSchema,
    hasSecondFactor: z.boolean().nullable().meta({
      description: 'Whether the account has a second factor. Null if you are not an admin.',
    }),
  })
  .meta({ id: 'Member' });

export type MemberResource = z.output<typeof memberSchema>;

/** @param viewer role of the reader */
export function toMemberResource(row: MemberRow, viewer: Role): MemberResource {
  return {
    id: row.operator_id,
    email: row.email,
    name: row.name,
    role: row.role,
    joinedAt: toTime(row.created_at),
    // Only admins may see whose account is protected by a password alone.
    hasSecondFactor: roleAllows(viewer, 'admin') ? row.has_second_factor : null,
  };
}

/** An invitation that can still be accepted. Its link is not included: it is shown only once, at creation. */
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

export function toInvitationResource(row: NewInvitationRow): InvitationResource {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: row.invited_by,
    createdAt: toTime(row.created_at),
    expiresAt: toTime(row.expires_at),
  };
}

/** A member after a change of rights, with what ended and what remains for review. */
export const memberChangeSchema = memberSchema
  .extend({
    ended: z
      .object({
        invitations: z.array(invitationSchema).meta({
          description: 'Open invitations that no longer work because they were made with the higher role.',
        }),
        sessions: z.int().meta({ description: 'How many sessions ended, in every organization.' }),
      })
      .meta({ id: 'EndedRights' }),
    review: z.array(accessGrantSchema).meta({
      description:
        'Keys, connections, webhook endpoints and members that this person created or invited. They keep working: decide about each.',
    }),
  })
  .meta({ id: 'MemberChange' });

export type MemberChange = z.output<typeof memberChangeSchema>;
