import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { stepsOfTime, type LifecycleStep, type LifecycleView } from '../domain/lifecycle';
import { findBilledSubscriptionsOf } from '../subscriptions/next-wake-store';
import type { WorkspaceScope } from '../tenancy/actor';

/** Steps that call a provider, and must do so before the provider's own clock passes the instant of the step. */
const PROVIDER_CALL_STEPS: ReadonlySet<LifecycleStep> = new Set(['settle_call', 'prepare_change']);

const POLL_INTERVAL_MS = 100;
/** Ten seconds in total: the workers wait for nothing but the simulators. */
const MAX_POLLS = 100;

/** Whether a subscription has an outstanding provider call that is due by an instant. */
export function isProviderCallDue(view: LifecycleView, by: Instant): boolean {
  return (
    view.provider !== 'internal' &&
    stepsOfTime(view).some(({ step, at }) => PROVIDER_CALL_STEPS.has(step) && at <= by)
  );
}

/**
 * Waits, for about ten seconds, until the workers have made the provider calls that an advance of the sandbox's clock
 * made due. One advance can skip the six hours before a renewal in which provider A receives a scheduled change, and
 * its simulator must not renew before that call.
 *
 * @returns the ids of subscriptions whose call is still outstanding, sorted
 */
export async function waitForProviderCalls(
  database: Database,
  scope: WorkspaceScope,
  subscriptionIds: readonly string[],
  by: Instant,
): Promise<string[]> {
  let pending = [...subscriptionIds];
  for (let polls = 0; pending.length > 0; polls += 1) {
    const ids = pending;
    const rows = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
      findBilledSubscriptionsOf(trx, scope, ids),
    );
    pending = rows.filter((row) => isProviderCallDue(row, by)).map(({ id }) => id);
    if (polls === MAX_POLLS) break;
    if (pending.length > 0) await pause(POLL_INTERVAL_MS);
  }
  return pending.sort();
}
