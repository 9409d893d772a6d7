import { activityInfo, ApplicationFailure, heartbeat, log } from '@temporalio/activity';
import type { Environment } from '../src/domain/environment';
import type { Instant } from '../src/domain/instant';
import type { CheckoutJob, ErasureJob, RefundJob, SubscriptionJob } from '../src/outbox/enqueue';
import { isTemporalBusy } from '../src/temporal/grpc-errors';
import { unavailabilityOf } from '../src/temporal/unavailable';
import type { WorkflowSignals } from '../src/temporal/workflow-signals';
import type { SweepActivities } from '../workflows/activity-types';
import { withSafeFailures } from './failures';

/** Each returns the longest overdue first, up to `most`, of one environment or both. */
export interface OverdueWakes {
  subscriptions(before: Instant, limit: number, environment?: Environment): Promise<SubscriptionJob[]>;
  checkouts(before: Instant, limit: number, environment?: Environment): Promise<CheckoutJob[]>;
  refunds(before: Instant, limit: number, environment?: Environment): Promise<RefundJob[]>;
  erasures(before: Instant, limit: number, environment?: Environment): Promise<ErasureJob[]>;
}

export interface SweepActivityDependencies {
  overdueWakes: OverdueWakes;
  signals: WorkflowSignals;
}

/** Maximum number of signals per kind and sweep; the next sweep takes the rest. */
const MOST = 10_000;
/** Number of concurrent signals. */
const CONCURRENCY = 10;

export function createSweepActivities({ overdueWakes, signals }: SweepActivityDependencies): SweepActivities {
  return {
    pokeOverdueSubscriptions: (before, environment) =>
      sweep(
        'subscriptions',
        () => overdueWakes.subscriptions(before, MOST, environment),
        signals.subscription,
      ),
    pokeOverdueCheckouts: (before, environment) =>
      sweep('checkouts', () => overdueWakes.checkouts(before, MOST, environment), signals.checkout),
    pokeOverdueRefunds: (before, environment) =>
      sweep('refunds', () => overdueWakes.refunds(before, MOST, environment), signals.refund),
    pokeOverdueErasures: (before, environment) =>
      sweep('erasures', () => overdueWakes.erasures(before, MOST, environment), signals.erasure),
  };
}

/** Number of tries for failed signals, before they are left to the next sweep. */
const TRIES = 5;

/** Signals the overdue workflows. One that cannot be signalled does not keep others from being signalled. */
async function sweep<Job extends object>(
  what: string,
  find: () => Promise<Job[]>,
  signal: (job: Job) => Promise<void>,
): Promise<number> {
  const overdue = await withSafeFailures(find);
  if (overdue.length > 0) log.warn(`${what} were overdue`, { count: overdue.length });
  let [sent, failed] = [0, 0];
  for (let start = 0; start < overdue.length; start += CONCURRENCY) {
    const group = overdue.slice(start, start + CONCURRENCY);
    const results = await Promise.allSettled(group.map((job) => signal(job)));
    let [refused, unserved] = [0, 0];
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') continue;
      refused += 1;
      const error: unknown = result.reason;
      if (isUnserved(error)) unserved += 1;
      log.warn(`one of the ${what} could not be signalled`, { ...group[index], error });
    }
    sent += group.length - refused;
    failed += refused;
    heartbeat(start + group.length);
    // Other signals would fail too. Workflows that refuse theirs stay the longest overdue, so they must not end a sweep.
    if (unserved === CONCURRENCY) break;
  }
  if (failed > 0 && activityInfo().attempt < TRIES) {
    throw ApplicationFailure.retryable(`${failed} of the ${what} could not be signalled.`, 'not_signalled');
  }
  return sent;
}

/** Whether Temporal fails the calls of this service, as opposed to the signals of one workflow. */
function isUnserved(error: unknown): boolean {
  return isTemporalBusy(error) || unavailabilityOf(error, 'workflows') !== undefined;
}
