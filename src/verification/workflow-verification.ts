import type { Clock } from '../clock/system-clock';
import { workspaceTime } from '../clock/sandbox-clock-store';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { MINUTE_MS, type Instant } from '../domain/instant';
import type { WorkflowProbe } from '../temporal/workflow-probe';
import { checkoutWorkflowId, subscriptionWorkflowId } from '../temporal/workflow-ids';
import type { WorkspaceScope } from '../tenancy/actor';
import { findingOfAll, type Finding } from './finding-store';
import { findWakingRow, listWakingRows, type WakingRow } from './waking-row-store';

/** The dependencies for comparing rows with workflows. */
export interface WorkflowCheck {
  isRunning: WorkflowProbe;
  clock: Clock;
  /** Waits for the relay to start workflows of recently opened rows before a workflow counts as missing. */
  pause(): Promise<void>;
}

const PAGE = 500;
/** Number of workflows described concurrently. */
const CONCURRENCY = 16;
/** The sweep runs hourly and takes a while. */
const SWEPT_WITHIN_MS = 75 * MINUTE_MS;

/**
 * Finds open subscriptions and checkouts without a workflow for which the hourly sweep will not start one either,
 * because their wake-up is still to come or the sweep has missed it.
 */
export async function workflowDifferences(
  database: Database,
  scope: WorkspaceScope,
  check: WorkflowCheck,
): Promise<Finding> {
  const suspects = [
    ...(await suspectsOf(database, scope, 'subscription', check)),
    ...(await suspectsOf(database, scope, 'checkout', check)),
  ];
  if (suspects.length === 0) return findingOfAll([]);
  await check.pause();
  const differences: string[] = [];
  for (const suspect of suspects) {
    const { now, row } = await inWorkspace(database, scope, 'SYSTEM', async (trx) => ({
      now: await workspaceTime(trx, scope, check.clock.now()),
      row: await findWakingRow(trx, scope, suspect),
    }));
    if (row !== undefined && !(await hasKeeper(scope, row, now, check))) differences.push(inWords(row));
  }
  return findingOfAll(differences);
}

async function suspectsOf(
  database: Database,
  scope: WorkspaceScope,
  kind: WakingRow['kind'],
  check: WorkflowCheck,
): Promise<WakingRow[]> {
  const suspects: WakingRow[] = [];
  for (let after = ''; ;) {
    // One transaction per page: describing workflows takes longer than a transaction may be idle.
    const { now, rows } = await inWorkspace(database, scope, 'SYSTEM', async (trx) => ({
      now: await workspaceTime(trx, scope, check.clock.now()),
      rows: await listWakingRows(trx, scope, { kind, after, limit: PAGE }),
    }));
    for (let start = 0; start < rows.length; start += CONCURRENCY) {
      const group = rows.slice(start, start + CONCURRENCY);
      // After a failure the caller closes Temporal's client, and a call that is then still retried would end the
      // process.
      const kept = await Promise.allSettled(group.map((row) => hasKeeper(scope, row, now, check)));
      for (const [index, row] of group.entries()) {
        const answer = kept[index];
        if (answer?.status === 'rejected') throw answer.reason;
        if (answer?.value === false) suspects.push(row);
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return suspects;
    after = last.id;
  }
}

/** @param now the workspace's time */
async function hasKeeper(
  { environment }: WorkspaceScope,
  { kind, id, nextWakeAt }: WakingRow,
  now: Instant,
  { isRunning }: WorkflowCheck,
): Promise<boolean> {
  const workflowId = kind === 'subscription' ? subscriptionWorkflowId : checkoutWorkflowId;
  if (await isRunning(workflowId(environment, id))) return true;
  return nextWakeAt !== null && nextWakeAt <= now && now - nextWakeAt < SWEPT_WITHIN_MS;
}

function inWords({ kind, id, nextWakeAt }: WakingRow): string {
  const wake = nextWakeAt === null ? 'never wakes' : `wakes at ${new Date(nextWakeAt).toISOString()}`;
  return `${kind} ${id}: no workflow runs for it, and it ${wake}`;
}
