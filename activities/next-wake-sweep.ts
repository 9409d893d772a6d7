import { heartbeat, log } from '@temporalio/activity';
import type { Environment } from '../src/domain/environment';
import type { Instant } from '../src/domain/instant';
import type { CheckoutJob, ErasureJob, RefundJob, SubscriptionJob } from '../src/outbox/enqueue';
import type { WorkflowSignals } from '../src/temporal/workflow-signals';
import type { SweepActivities } from '../workflows/activity-types';
import { withSafeFailures } from './failures';

/** Each finds the longest overdue first, at most so many, of one environment or both. */
export interface OverdueWakes {
  subscriptions(before: Instant, most: number, environment?: Environment): Promise<SubscriptionJob[]>;
  checkouts(before: Instant, most: number, environment?: Environment): Promise<CheckoutJob[]>;
  refunds(before: Instant, most: number, environment?: Environment): Promise<RefundJob[]>;
  erasures(before: Instant, most: number, environment?: Environment): Promise<ErasureJob[]>;
}

export interface SweepActivityDependencies {
  overdueWakes: OverdueWakes;
  signals: WorkflowSignals;
}

/** What one sweep signals of a kind at most; the next one takes the rest. */
const MOST = 10_000;
/** So many signals are sent at once. */
const ABREAST = 10;

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

async function sweep<Job>(
  what: string,
  find: () => Promise<Job[]>,
  signal: (job: Job) => Promise<void>,
): Promise<number> {
  const overdue = await withSafeFailures(find);
  if (overdue.length > 0) log.warn(`${what} were overdue`, { count: overdue.length });
  for (let start = 0; start < overdue.length; start += ABREAST) {
    const group = overdue.slice(start, start + ABREAST);
    await Promise.all(group.map((job) => signal(job)));
    heartbeat(start + group.length);
  }
  return overdue.length;
}
