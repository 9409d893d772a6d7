import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';

/** The tenant of a transaction: one organization's sandbox or production. */
export interface WorkspaceScope {
  workspaceId: string;
  environment: Environment;
}

/** For whom a transaction runs: an integrator's key, an operator, a customer on their page, or the service itself. */
export type TransactionReason = 'API_KEY' | 'OPERATOR' | 'CUSTOMER' | 'SYSTEM';

/** The caller, its tenant, and the time: passed to every feature's functions, and named in audit records. */
export interface Actor {
  scope: WorkspaceScope;
  reason: TransactionReason;
  /** The operator behind an `OPERATOR` action. */
  operatorId: string | null;
  /** The key behind an `API_KEY` action. */
  apiKeyId: string | null;
  /** The caller's IP address, for audit records; null for a `CUSTOMER`, whose records outlive an erasure. */
  ip: string | null;
  requestId: string;
  /** Real time at which the request arrived. */
  receivedAt: Instant;
  /** Workspace time: real time, plus the clock's offset in a sandbox. */
  now: Instant;
}
