import { plainArray, textOrNullArray } from '../db/parameters';
import { nothing, type Call } from '../db/calls';
import type { Statement } from '../db/statement-group';
import type { AnnouncedFact } from '../domain/announced-facts';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import type { WorkspaceScope } from '../tenancy/actor';

/** An event to be announced to integrators. */
export interface Announcement extends AnnouncedFact {
  /** Workspace time; if omitted, derived from the real time at which it is written. */
  happenedAt?: Instant;
  /** The developer event that describes it. */
  eventId?: string;
}

/**
 * Announces events to integrators, in the transaction that produces them: writes a message for each, with its
 * resource's next sequence number, and a delivery for each endpoint that subscribes to it.
 *
 * @param createdAt real time
 */
export function announceCall(
  scope: WorkspaceScope,
  announcements: readonly Announcement[],
  createdAt: Instant,
): Call<void> {
  return { ...announceStatement(scope, announcements, createdAt), read: nothing };
}

/** Builds the statement of `announceCall`, for the hot path. */
export function announceStatement(
  { workspaceId, environment }: WorkspaceScope,
  announcements: readonly Announcement[],
  createdAt: Instant,
): Statement {
  return {
    name: 'announce',
    text: ANNOUNCE,
    values: [workspaceId, environment, new Date(createdAt).toISOString(), ...arraysOf(announcements)],
  };
}

/** Returns the columns of the announcements as parameters for `announced`. */
export function arraysOf(announcements: readonly Announcement[]): string[] {
  return [
    plainArray(announcements.map(() => newIdentifier('webhookMessage'))),
    plainArray(announcements.map(({ type }) => type)),
    plainArray(announcements.map(({ resource }) => resource.kind)),
    plainArray(announcements.map(({ resource }) => resource.id)),
    plainArray(
      announcements.map(({ happenedAt }) =>
        happenedAt === undefined ? 'NULL' : new Date(happenedAt).toISOString(),
      ),
    ),
    textOrNullArray(announcements.map(({ eventId }) => eventId ?? null)),
  ];
}

/**
 * Returns SQL that announces the events in the arrays of {@link arraysOf}.
 *
 * @param created the parameter of the real time
 * @param first the number of the first array's parameter; $1 and $2 are the tenant
 */
export function announced(created: string, first: number): string {
  const array = (index: number, type: string): string => `$${first + index}::${type}[]`;
  return `SELECT tollgate.announce($1, $2::tollgate.environment_name, m.id, m.type, m.kind, m.resource, m.happened,
            ${created}::timestamptz, m.event)
       FROM unnest(${array(0, 'text')}, ${array(1, 'text')}, ${array(2, 'text')}, ${array(3, 'text')},
                   ${array(4, 'timestamptz')}, ${array(5, 'text')}) AS m (id, type, kind, resource, happened, event)`;
}

const ANNOUNCE = announced('$3', 4);
