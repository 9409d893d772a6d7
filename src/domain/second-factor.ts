import type { Environment } from './environment';
import type { Instant } from './instant';

/** When a route requires an operator to confirm the second factor again. */
export type StepUp = 'always' | 'in_production';

/** State of an operator's second factor when a request with a session arrives. */
export interface SessionFactor {
  enrolled: boolean;
  /** When it was last confirmed in this session; null if it never was. */
  confirmedAt: Instant | null;
}

/**
 * Whether the operator must confirm the second factor before the request is served. An operator without one is not
 * asked; an organization can require one (`mustEnrol`).
 *
 * @param environment of the request; null for an organization as a whole, which includes production
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
  // A confirmation in the future comes from a clock that has since been set back, and does not count.
  return confirmedAt === null || confirmedAt > now || now - confirmedAt >= freshMs;
}

/** Whether a member may only enrol, because the organization requires a second factor and the member has none. */
export function mustEnrol(organization: { requireSecondFactor: boolean }, hasSecondFactor: boolean): boolean {
  return organization.requireSecondFactor && !hasSecondFactor;
}

/** The operator to be reset and the issuer of the reset. */
export interface ResetCase {
  issuerId: string;
  /** Null for an issuer who is no longer a member. */
  issuerRole: string | null;
  operatorId: string;
  /** Organizations of the operator to be reset. */
  organizations: readonly string[];
  workspaceId: string;
  isPlatformAdministrator: boolean;
}

/** Why a reset is refused. */
export type ResetRefusal =
  | 'not_owner'
  | 'own_account'
  | 'not_member'
  | 'platform_administrator'
  | 'elsewhere_too';

/**
 * Returns why an owner may not reset this account; null if they may. The holder of a reset link becomes the operator,
 * so it must not give access to anything that the owner does not govern: no other organization, and not the
 * installation. This is checked when a link is issued and again when it is used, because the operator may have joined
 * another organization in between.
 */
export function resetRefusal(reset: ResetCase): ResetRefusal | null {
  if (reset.issuerRole !== 'owner') return 'not_owner';
  if (reset.issuerId === reset.operatorId) return 'own_account';
  if (!reset.organizations.includes(reset.workspaceId)) return 'not_member';
  if (reset.isPlatformAdministrator) return 'platform_administrator';
  return reset.organizations.length > 1 ? 'elsewhere_too' : null;
}
