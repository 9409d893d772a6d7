import type { Environment } from './environment';
import type { Instant } from './instant';

/** When a route asks an operator for the second factor again. */
export type StepUp = 'always' | 'in_production';

/** What is known of an operator's second factor when a request comes with a session. */
export interface SessionFactor {
  enrolled: boolean;
  /** When it was last confirmed in this session; null where it never was. */
  confirmedAt: Instant | null;
}

/**
 * Whether a request must be answered by a question for the second factor. Who has none is not asked: an organization
 * that wants one requires it (`mustEnrol`).
 *
 * @param environment of the request; null for an organization as a whole, which is production's too
 * @param freshMs for how long a confirmation counts
 */
export function needsConfirmation(
  stepUp: StepUp | undefined,
  environment: Environment | null,
  factor: SessionFactor,
  { now, freshMs }: { now: Instant; freshMs: number },
): boolean {
  if (stepUp === undefined || !factor.enrolled) return false;
  if (stepUp === 'in_production' && environment === 'sandbox') return false;
  const { confirmedAt } = factor;
  // One that lies ahead was made by a clock that was set back since, and counts for nothing.
  return confirmedAt === null || confirmedAt > now || now - confirmedAt >= freshMs;
}

/** Whether a member may only enrol, because the organization requires a second factor and they have none. */
export function mustEnrol(organization: { requireSecondFactor: boolean }, hasSecondFactor: boolean): boolean {
  return organization.requireSecondFactor && !hasSecondFactor;
}

/** Who would be reset, and by whom. */
export interface ResetCase {
  issuerId: string;
  /** Null for one who is no longer a member. */
  issuerRole: string | null;
  operatorId: string;
  /** Of the one who would be reset. */
  organizations: readonly string[];
  workspaceId: string;
  isPlatformAdministrator: boolean;
}

/** Why no reset may be made. */
export type ResetRefusal =
  | 'not_owner'
  | 'own_account'
  | 'not_member'
  | 'platform_administrator'
  | 'elsewhere_too';

/**
 * Why an owner may not reset this account; null where they may. Whoever holds a reset link becomes the operator, so it
 * must open nothing that the owner does not govern: no other organization, and not the installation. Judged when a link
 * is issued and again when it is used, for the operator may have joined another organization in between.
 */
export function resetRefusal(reset: ResetCase): ResetRefusal | null {
  if (reset.issuerRole !== 'owner') return 'not_owner';
  if (reset.issuerId === reset.operatorId) return 'own_account';
  if (!reset.organizations.includes(reset.workspaceId)) return 'not_member';
  if (reset.isPlatformAdministrator) return 'platform_administrator';
  return reset.organizations.length > 1 ? 'elsewhere_too' : null;
}
