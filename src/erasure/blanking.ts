import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** What a step works on, in the open transaction. */
export interface Blanking {
  trx: DbTransaction;
  scope: WorkspaceScope;
  customerId: string;
  /** Its own id, and those of all that belongs to it. */
  ids: readonly string[];
  /** What it was called, as far as that can be looked for. */
  names: readonly string[];
  requestedAt: Instant;
  /** Real time. */
  at: Instant;
}

/** What a batch of a step has done. */
export interface BlankedBatch {
  /** Rows by kind. */
  blanked: Record<string, number>;
  /** The row after which the step goes on; null when it is done. */
  after: string | null;
}

/** Blanks the next rows of a step. What is blank already is left alone, so that a batch may be repeated. */
export type BlankBatch = (work: Blanking, after: string | null) => Promise<BlankedBatch>;
