import { endTrial, nextWake, turnPeriod } from '../../src/domain/lifecycle';
import { calendarPeriodContaining } from '../../src/domain/period';
import type { StepRequest, SubscriptionActivities, SubscriptionView } from '../../workflows/activity-types';

/** An active monthly subscription to `pro` with five seats, whose current period is the one that holds `now`. */
export function monthlyView(
  anchor: number,
  now: number,
  row: Partial<SubscriptionView> = {},
): SubscriptionView {
  const interval = 'month';
  const timeZone = 'UTC';
  const period = calendarPeriodContaining({ anchor, timeZone, interval }, now);
  return {
    provider: 'internal',
    planSlug: 'pro',
    seats: 5,
    status: 'active',
    interval,
    timeZone,
    billingAnchor: anchor,
    trialEnd: null,
    currentPeriodStart: period.start,
    currentPeriodEnd: period.end,
    clockOffset: 0,
    ...row,
  };
}

/** One row in memory, turned by the domain's functions as the real activities turn it. */
export class FakeBilling implements SubscriptionActivities {
  loads = 0;
  /** The keys of the steps that were taken, in order. */
  readonly taken: string[] = [];
  /** How long after its boundary each of them was asked for. */
  readonly late: number[] = [];
  /** Calls, those that failed or did nothing included. */
  calls = 0;
  /** So many calls of a step fail first. */
  failures = 0;
  /** The subscription is cancelled as soon as so many steps were taken. */
  endAfter = Number.POSITIVE_INFINITY;

  constructor(public row: SubscriptionView) {}

  loadSubscription = (): Promise<SubscriptionView | null> => {
    this.loads += 1;
    return Promise.resolve(this.row);
  };
  turnPeriod = (request: StepRequest): Promise<SubscriptionView> => this.take('turn_period', request);
  endTrial = (request: StepRequest): Promise<SubscriptionView> => this.take('end_trial', request);

  /** For the worker, which wants the functions alone. */
  get activities(): SubscriptionActivities {
    const { loadSubscription, turnPeriod: turn, endTrial: end } = this;
    return { loadSubscription, turnPeriod: turn, endTrial: end };
  }

  private take(step: 'turn_period' | 'end_trial', request: StepRequest): Promise<SubscriptionView> {
    this.calls += 1;
    if (this.failures > 0) {
      this.failures -= 1;
      return Promise.reject(new Error('The database is away.'));
    }
    const wake = nextWake(this.row, request.at);
    if (wake.kind !== 'due' || wake.step !== step || wake.boundary !== request.boundary) {
      return Promise.resolve(this.row);
    }
    this.taken.push(request.key);
    this.late.push(request.at - request.boundary);
    this.row = step === 'end_trial' ? endTrial(this.row) : turnPeriod(this.row);
    if (this.taken.length >= this.endAfter) this.row = { ...this.row, status: 'cancelled' };
    return Promise.resolve(this.row);
  }
}
