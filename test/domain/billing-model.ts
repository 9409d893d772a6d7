import {
  cancelNow,
  dueAtOf,
  nextWake,
  takeStep,
  withOpenPayments,
  type LifecycleStep,
} from '../../src/domain/lifecycle';
import { draftPeriodCharge } from '../../src/domain/period-charge';
import { applyImmediateChange, planChange, type ChangePlan } from '../../src/domain/plan-change';
import { wholePeriod } from '../../src/domain/proration';
import type { OfferedPlan } from '../../src/domain/subscription';
import {
  statusOf,
  withPayment,
  type TransactionDraft,
  type TransactionStatus,
} from '../../src/domain/transaction';
import { subscribed, type Subscribed } from './billing-cases';

export interface ModelTransaction extends TransactionDraft {
  madeAt: number;
  status: TransactionStatus;
  amountPaid: bigint;
  /** Terms that hold after the transaction. */
  planId: string;
  seats: number;
}

/** Local billing in memory: does what the service does around the domain's functions and adds no rules of its own. */
export class BillingModel {
  subscription: Subscribed;
  readonly transactions: ModelTransaction[] = [];
  readonly stepsTaken: { step: LifecycleStep; boundary: number }[] = [];

  /** @param plans plans at their current prices, by id */
  constructor(
    readonly plans: Map<string, OfferedPlan>,
    plan: OfferedPlan,
    opening: { now: number; seats: number; timeZone: string },
  ) {
    this.now = opening.now;
    this.subscription = subscribed(plan, opening);
    if (this.subscription.status === 'active') this.charge('initial', this.now);
  }

  now: number;

  get open(): ModelTransaction[] {
    return this.transactions.filter(({ status }) => status === 'pending' || status === 'partially_paid');
  }

  advanceTo(instant: number): void {
    this.now = instant;
    for (;;) {
      const wake = nextWake(this.subscription, this.now);
      if (wake.kind !== 'due') return;
      this.stepsTaken.push(wake);
      this.take(wake.step, wake.boundary);
    }
  }

  /** @throws TollgateError if the domain refuses the change */
  change(target: OfferedPlan, seats: number): ChangePlan {
    const plan = planChange(this.subscription, target, seats, this.now);
    if (plan.transaction === null) {
      this.subscription = {
        ...this.subscription,
        scheduled: { ...plan.to, pricing: target.pricing },
        scheduledInterval: target.interval,
        nextPeriodIsFree: target.price.amount === 0n,
      };
      return plan;
    }
    this.subscription = {
      ...this.withoutScheduled(),
      ...applyImmediateChange(this.subscription, plan),
      nextPeriodIsFree: target.price.amount === 0n,
    };
    this.record(plan.transaction, this.now);
    this.settleDue(this.now);
    return plan;
  }

  withdraw(): void {
    this.subscription = this.withoutScheduled();
  }

  cancel(): void {
    if (this.isOver()) return;
    this.voidOpen();
    this.subscription = { ...cancelNow(this.subscription), scheduled: null };
  }

  pay(transaction: ModelTransaction, amount: bigint): void {
    const payment = { amount, receivedAt: this.now };
    Object.assign(transaction, withPayment({ ...transaction, paidAt: null }, payment));
    this.settleDue(this.now);
  }

  /** Changes a plan's current price; the current period keeps its own. */
  reprice(plan: OfferedPlan): void {
    this.plans.set(plan.id, plan);
    const next = this.plans.get(this.subscription.scheduled?.planId ?? this.subscription.planId);
    this.subscription = { ...this.subscription, nextPeriodIsFree: next?.price.amount === 0n };
  }

  isOver(): boolean {
    return this.subscription.status === 'cancelled' || this.subscription.status === 'expired';
  }

  private take(step: LifecycleStep, boundary: number): void {
    if (step === 'turn_period' || step === 'end_trial') {
      // The end of a trial charges the price that the customer was shown.
      const terms = step === 'end_trial' ? this.subscription : this.nextTerms();
      this.subscription = takeStep(terms, step);
      this.charge(step === 'end_trial' ? 'initial' : 'renewal', boundary);
      return;
    }
    if (step === 'expire') this.voidOpen();
    this.subscription = takeStep(this.subscription, step);
    if (this.isOver()) this.subscription = { ...this.subscription, scheduled: null };
  }

  private nextTerms(): Subscribed {
    const { scheduled, planId, seats } = this.subscription;
    const plan = this.plans.get(scheduled?.planId ?? planId);
    if (plan === undefined) throw new Error('There is no such plan.');
    return {
      ...this.subscription,
      scheduled: null,
      planId: plan.id,
      planSlug: plan.slug,
      seats: scheduled?.seats ?? seats,
      unitAmount: plan.price.amount,
      pricing: plan.pricing,
    };
  }

  private charge(kind: 'initial' | 'renewal', madeAt: number): void {
    const { currentPeriodStart: start, currentPeriodEnd: end, currency, tax, timeZone } = this.subscription;
    const draft = draftPeriodCharge({
      kind,
      terms: this.subscription,
      currency,
      tax,
      period: { start, end },
      whole: wholePeriod(this.subscription),
      startedAt: this.subscription.startedAt,
      dueAt: dueAtOf(madeAt, this.subscription.pastDueAfterDays),
      timeZone,
    });
    this.record(draft, madeAt);
    // The step must have predicted the charge's due date.
    const foreseen = this.subscription.paymentDueAt;
    this.settleDue(madeAt);
    if (kind === 'renewal' && foreseen !== this.subscription.paymentDueAt) {
      throw new Error('The step foresaw another payment.');
    }
  }

  private record(draft: TransactionDraft, madeAt: number): void {
    const { planId, seats } = this.subscription;
    const status = statusOf(draft.total, 0n);
    this.transactions.push({ ...draft, madeAt, status, amountPaid: 0n, planId, seats });
  }

  private settleDue(at: number): void {
    const dueAts = this.open.map(({ dueAt }) => dueAt);
    this.subscription = withOpenPayments(this.subscription, dueAts, at);
  }

  private voidOpen(): void {
    for (const transaction of this.open) transaction.status = 'void';
  }

  private withoutScheduled(): Subscribed {
    const own = this.plans.get(this.subscription.planId);
    return {
      ...this.subscription,
      scheduled: null,
      scheduledInterval: null,
      nextPeriodIsFree: own?.price.amount === 0n,
    };
  }
}
