import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** Context of a step, in the open transaction. */
export interface Blanking {
  trx: DbTransaction;
  scope: WorkspaceScope;
  customerId: string;
  /** Its own id, and those of everything that belongs to it. */
  ids: readonly string[];
  /** The customer's names, as far as they can be searched for. */
  names: readonly string[];
  requestedAt: Instant;
  /** Real time. */
  at: Instant;
}

/** Result of a batch. */
export interface BlankedBatch {
  /** Rows by kind. */
  blanked: Record<string, number>;
  /** The row after which the step continues; null once it is done. */
  after: string | null;
}

/** Blanks the next rows of a step. Rows already blanked are left unchanged, so a batch may be repeated. */
export type BlankBatch = (work: Blanking, after: string | null) => Promise<BlankedBatch>;
