import type { Clock } from '../clock/system-clock';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { stepAfter, type ErasureStep, type ErasureView } from '../domain/erasure';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { blankAnswers, blankOperations } from './blank-answers-store';
import { blankAudit } from './blank-audit-store';
import { blankBillingEvents, blankEvents } from './blank-events-store';
import { blankMessages } from './blank-messages-store';
import { blankRecords } from './blank-records-store';
import { blankUsage } from './blank-usage-store';
import { blankStoredWebhooks } from './blank-webhooks-store';
import type { BlankBatch } from './blanking';
import { findOwnedIds } from './erased-customer-store';
import { findOpenTransactions, lockErasure, saveProgress, type ErasureRow } from './erasure-store';

export interface ErasureSteps {
  /**
   * Blanks the next batches, each in a transaction that also stores the progress, so that after a crash the work
   * continues from there.
   */
  next(scope: WorkspaceScope, erasureId: string): Promise<ErasureView>;
}

/** Batches per call; they take some seconds. */
const BATCHES = 10;

/** How soon open transactions are checked again. They end within the statement timeout. */
const RECHECK_MS = 1_000;

const BLANKS: Record<Exclude<ErasureStep, 'wait'>, BlankBatch> = {
  records: blankRecords,
  usage: blankUsage,
  events: blankEvents,
  billing_events: blankBillingEvents,
  operations: blankOperations,
  answers: blankAnswers,
  messages: blankMessages,
  webhooks: blankStoredWebhooks,
  audit: blankAudit,
};

export function createErasureSteps({ database, clock }: { database: Database; clock: Clock }): ErasureSteps {
  const batch = (scope: WorkspaceScope, id: string): Promise<ErasureView> =>
    inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      const before = await lockErasure(trx, scope, id);
      if (before === undefined || before.completedAt !== null) return { kind: 'complete' };
      const at = clock.now();
      const { step } = before;
      const after =
        step === 'wait' ? await waitForOpen(trx, before, at) : await blank(trx, scope, before, step, at);
      await saveProgress(trx, scope, after);
      if (after.completedAt !== null) return { kind: 'complete' };
      return { kind: 'more', at: after.step === 'wait' ? after.nextWakeAt : null };
    });
  return {
    next: async (scope, erasureId) => {
      for (let batches = 1; ; batches += 1) {
        const progress = await batch(scope, erasureId);
        if (progress.kind === 'complete' || progress.at !== null || batches === BATCHES) return progress;
      }
    },
  };
}

/**
 * Waits for transactions that began before the customer lost its name: they may have read it, and may still write it.
 * Those open now are waited for; later ones read the pseudonym.
 */
async function waitForOpen(trx: DbTransaction, erasure: ErasureRow, at: Instant): Promise<ErasureRow> {
  const open = await findOpenTransactions(trx);
  const awaited = erasure.awaited === null ? open : erasure.awaited.filter((id) => open.includes(id));
  if (awaited.length > 0) return { ...erasure, awaited, nextWakeAt: at + RECHECK_MS };
  return advance({ ...erasure, awaited: null }, at);
}

async function blank(
  trx: DbTransaction,
  scope: WorkspaceScope,
  erasure: ErasureRow,
  step: Exclude<ErasureStep, 'wait'>,
  at: Instant,
): Promise<ErasureRow> {
  const { customerId, names, requestedAt } = erasure;
  const ids = await findOwnedIds(trx, scope, customerId);
  const work = { trx, scope, customerId, ids, names: names ?? [], requestedAt, at };
  const { blanked, after } = await BLANKS[step](work, erasure.after);
  const counted = { ...erasure, blanked: sum(erasure.blanked, blanked), nextWakeAt: at };
  return after === null ? advance(counted, at) : { ...counted, after };
}

/** Moves to the first row of the next step. After the last step, nothing is kept of the customer's name. */
function advance(erasure: ErasureRow, at: Instant): ErasureRow {
  const step = stepAfter(erasure.step);
  if (step !== null) return { ...erasure, step, after: null, nextWakeAt: at };
  return { ...erasure, after: null, names: null, completedAt: at, nextWakeAt: null };
}

function sum(before: Record<string, number>, more: Record<string, number>): Record<string, number> {
  const total = { ...before };
  for (const [kind, count] of Object.entries(more)) total[kind] = (total[kind] ?? 0) + count;
  return total;
}
