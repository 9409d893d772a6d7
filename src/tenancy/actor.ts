import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';

/** The tenant that a transaction works for: one organization's sandbox or production. */
export interface WorkspaceScope {
  workspaceId: string;
  environment: Environment;
}

/** Why a transaction runs: for an integrator's key, an operator, a customer on their own page, or the service itself. */
export type TransactionReason = 'API_KEY' | 'OPERATOR' | 'CUSTOMER' | 'SYSTEM';

/** Who asks, for which tenant, and when: every feature's functions take it, and audit records name it. */
export interface Actor {
  scope: WorkspaceScope;
  reason: TransactionReason;
  /** The operator behind an `OPERATOR` act. */
  operatorId: string | null;
  /** The key behind an `API_KEY` act. */
  apiKeyId: string | null;
  /** The caller's address, for audit records; null for a `CUSTOMER`, whose records outlive an erasure. */
  ip: string | null;
  requestId: string;
  /** Real time when the request came. */
  receivedAt: Instant;
  /** The workspace's time: real time, or in a sandbox real time plus the clock's offset. */
  now: Instant;
}
