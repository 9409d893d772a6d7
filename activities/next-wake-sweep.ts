import { heartbeat, log } from '@temporalio/activity';
import type { Instant } from '../src/domain/instant';
import type { SubscriptionJob } from '../src/outbox/enqueue';
import type { SweepActivities } from '../workflows/activity-types';

export interface SweepActivityDependencies {
  /** The longest overdue first, at most so many. */
  findOverdueSubscriptions(before: Instant, most: number): Promise<SubscriptionJob[]>;
  pokeSubscription(job: SubscriptionJob): Promise<void>;
}

/** What one sweep pokes at most; the next one takes the rest. */
const MOST = 10_000;
/** So many pokes are under way at once. */
const ABREAST = 10;

export function createSweepActivities(dependencies: SweepActivityDependencies): SweepActivities {
  return {
    async pokeOverdueSubscriptions(before) {
      const overdue = await dependencies.findOverdueSubscriptions(before, MOST);
      if (overdue.length > 0) log.warn('subscriptions were overdue', { count: overdue.length });
      for (let start = 0; start < overdue.length; start += ABREAST) {
        const group = overdue.slice(start, start + ABREAST);
        await Promise.all(group.map((job) => dependencies.pokeSubscription(job)));
        heartbeat(start + group.length);
      }
      return overdue.length;
    },
  };
}
