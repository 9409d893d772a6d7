import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { stepsOfTime, type LifecycleStep, type LifecycleView } from '../domain/lifecycle';
import { findBilledSubscriptionsOf } from '../subscriptions/next-wake-store';
import type { WorkspaceScope } from '../tenancy/scope';

/** What providers are told, and must have been told before their own time passes the instant that it is for. */
const TELLING: ReadonlySet<LifecycleStep> = new Set(['settle_call', 'prepare_change']);

const PAUSE_MS = 100;
/** Some seconds: the workers have nothing else to wait for than the simulators. */
const LOOKS = 100;

/** Whether a provider is still to be told something by an instant. */
export function isToBeTold(view: LifecycleView, by: Instant): boolean {
  return (
    view.provider !== 'internal' && stepsOfTime(view).some(({ step, at }) => TELLING.has(step) && at <= by)
  );
}

/**
 * Waits until the workers have told the providers what was due on the way of a sandbox's clock, for as long as whoever
 * advances it can be kept waiting. A clock passes in one leap the six hours in which provider A is told of a change that
 * comes with the renewal; its simulator must not renew before.
 *
 * @returns the subscriptions whose provider is not told yet
 */
export async function tellProvidersFirst(
  database: Database,
  scope: WorkspaceScope,
  subscriptionIds: readonly string[],
  by: Instant,
): Promise<string[]> {
  let left = [...subscriptionIds];
  for (let looks = 0; left.length > 0; looks += 1) {
    const ids = left;
    const rows = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
      findBilledSubscriptionsOf(trx, scope, ids),
    );
    left = rows.filter((row) => isToBeTold(row, by)).map(({ id }) => id);
    if (looks === LOOKS) break;
    if (left.length > 0) await pause(PAUSE_MS);
  }
  return left.sort();
}
