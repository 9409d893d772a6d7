import { nextWake } from '../../src/domain/lifecycle';
import type { Activities } from '../../activities';
import type { SubscriptionView } from '../../workflows/activity-types';
import { monthlyView } from '../workflows/fake-billing';

/** A billing period short enough for a test to wait for (milliseconds). */
export const PERIOD_MS = 500;

/** A subscription as the test sees it. */
export interface QuickSubscription {
  row: SubscriptionView;
  /** The boundaries at which its period turned, in order. */
  turned: number[];
  /** The operations applied, in order. */
  carried: string[];
  /** Those of them that were decided in a period that does not contain their instant. */
  misjudged: string[];
  /** Number of the last poke sent, and of the last poke that a read of the row has seen. */
  sent: number;
  seen: number;
  /** Number of activities running now. */
  under: number;
  overlapped: boolean;
}

/**
 * Subscriptions in memory whose periods last half a second, so that commands, pokes and boundaries constantly collide.
 * All other activities do nothing.
 */
export class QuickBilling {
  readonly subscriptions = new Map<string, QuickSubscription>();

  open(id: string): QuickSubscription {
    const now = Date.now();
    const row = monthlyView(now, now, { currentPeriodEnd: now + PERIOD_MS });
    const subscription = {
      row,
      turned: [],
      carried: [],
      misjudged: [],
      sent: 0,
      seen: 0,
      under: 0,
      overlapped: false,
    };
    this.subscriptions.set(id, subscription);
    return subscription;
  }

  readonly activities: Activities = {
    billing: {
      loadSubscription: ({ subscriptionId }) =>
        this.alone(subscriptionId, (subscription) => {
          subscription.seen = subscription.sent;
          return subscription.row;
        }),
      takeStep: ({ subscriptionId, boundary, at, step }) =>
        this.alone(subscriptionId, (subscription) => {
          const wake = nextWake(subscription.row, at);
          if (wake.kind === 'due' && wake.step === step && wake.boundary === boundary) {
            subscription.turned.push(boundary);
            const { currentPeriodEnd: start } = subscription.row;
            const end = start + PERIOD_MS;
            subscription.row = { ...subscription.row, currentPeriodStart: start, currentPeriodEnd: end };
          }
          return subscription.row;
        }),
      runOperation: ({ subscriptionId, operationId, at }) =>
        this.alone(subscriptionId, (subscription) => {
          const { row, carried, misjudged } = subscription;
          if (carried.includes(operationId)) return { kind: 'applied', view: row };
          if (nextWake(row, at).kind === 'due') return { kind: 'due' };
          if (at < row.currentPeriodStart || at >= row.currentPeriodEnd) misjudged.push(operationId);
          carried.push(operationId);
          subscription.row = { ...row, seats: row.seats + 1 };
          return { kind: 'applied', view: subscription.row };
        }),
      loadCheckout: () => Promise.resolve(null),
      expireCheckout: () => Promise.resolve(null),
      reserveCheckout: () => Promise.resolve(null),
      reserveRefund: () => Promise.resolve(null),
      loadRefund: () => Promise.resolve(null),
      completeRefund: () => Promise.resolve(null),
      pokeOverdueSubscriptions: () => Promise.resolve(0),
      pokeOverdueCheckouts: () => Promise.resolve(0),
      pokeOverdueRefunds: () => Promise.resolve(0),
      pokeOverdueErasures: () => Promise.resolve(0),
      eraseNext: () => Promise.resolve({ kind: 'complete' }),
      rescheduleSubscriptions: () => Promise.resolve({ after: null, moved: 0 }),
      listSettlementConnections: () => Promise.resolve({ connections: [], after: null }),
      migrateCredentials: () => Promise.resolve({ after: null, looked: 0, skipped: 0 }),
      endCredentialMigration: () => Promise.resolve(),
    },
    providers: {
      refundAtProvider: () => Promise.resolve({ kind: 'done' }),
      takeProviderStep: () => Promise.resolve(null),
      reportDrift: () => Promise.resolve({ after: null, compared: 0, found: 0, gone: 0, unread: 0 }),
      runAtProvider: () => Promise.resolve({ kind: 'unclaimed' }),
      collectSettlements: () => Promise.resolve({ recorded: 0, changed: 0 }),
      createCheckoutAtProvider: () => Promise.resolve(null),
      settleCheckoutAtProvider: () => Promise.resolve(null),
    },
  };

  /** Works like a transaction under the row's lock; records an overlap if a second one starts for the same row. */
  private async alone<Result>(
    id: string,
    work: (subscription: QuickSubscription) => Result,
  ): Promise<Result> {
    const subscription = this.subscriptions.get(id);
    if (subscription === undefined) throw new Error(`There is no ${id}.`);
    subscription.under += 1;
    if (subscription.under > 1) subscription.overlapped = true;
    await new Promise((resolve) => setTimeout(resolve, 2));
    const result = work(subscription);
    subscription.under -= 1;
    return result;
  }
}
