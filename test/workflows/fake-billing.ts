import { ApplicationFailure } from '@temporalio/common';
import { cancelNow, nextWake, takeStep, withOpenPayments } from '../../src/domain/lifecycle';
import { TollgateError } from '../../src/domain/errors';
import { calendarPeriodContaining } from '../../src/domain/period';
import { lifecycleRow } from '../support/lifecycle-row';
import { refusalFailure } from '../../src/temporal/refusal';
import type {
  OperationAnswer,
  OperationRequest,
  StepRequest,
  SubscriptionActivities,
  SubscriptionView,
} from '../../workflows/activity-types';

/** Returns an active monthly subscription to `pro` with five seats, whose current period contains `now`. */
export function monthlyView(
  anchor: number,
  now: number,
  row: Partial<SubscriptionView> = {},
): SubscriptionView {
  const period = calendarPeriodContaining({ anchor, timeZone: 'UTC', interval: 'month' }, now);
  return {
    ...lifecycleRow(period, { nextPeriodIsFree: true }),
    billingAnchor: anchor,
    planSlug: 'pro',
    seats: 5,
    scheduled: null,
    clockOffset: 0,
    ...row,
  };
}

/** Effect of an operation in the fake. `refused` represents any rule that refuses. */
export type FakeCommand =
  | { kind: 'cancel' | 'withdraw' | 'pay' | 'refused' }
  | { kind: 'upgrade' | 'downgrade'; planSlug: string };

/** An operation that was applied. */
export interface Carried {
  operationId: string;
  /** The workspace's time at which it was decided. */
  at: number;
  /** The row before it. */
  before: SubscriptionView;
}

/** A row in memory. Time and commands change it through the domain's functions, as in the real activities. */
export class FakeBilling implements SubscriptionActivities {
  loads = 0;
  /** Keys of the steps taken, in order. */
  readonly taken: string[] = [];
  /** How long after its boundary each of them was requested (milliseconds). */
  readonly late: number[] = [];
  /** The operations applied, in order. */
  readonly carried: Carried[] = [];
  /** Number of step and operation calls, including those that failed or did nothing. */
  calls = 0;
  /** Number of step or operation calls that fail first. */
  failures = 0;
  /** How often an operation was answered that a step is due first. */
  due = 0;
  /** Number of steps after which the subscription is cancelled. */
  endAfter = Number.POSITIVE_INFINITY;
  private readonly operations = new Map<string, FakeCommand>();

  constructor(public row: SubscriptionView) {}

  /** Registers the effect of the operation with this id. */
  accept(operationId: string, command: FakeCommand): void {
    this.operations.set(operationId, command);
  }

  loadSubscription = (): Promise<SubscriptionView | null> => {
    this.loads += 1;
    return Promise.resolve(this.row);
  };

  // oxlint-disable-next-line typescript/require-await -- what it throws is to be a rejection
  takeStep = async (request: StepRequest): Promise<SubscriptionView> => {
    this.fail();
    const wake = nextWake(this.row, request.at);
    if (wake.kind !== 'due' || wake.step !== request.step || wake.boundary !== request.boundary) {
      return this.row;
    }
    this.taken.push(request.key);
    this.late.push(request.at - request.boundary);
    const { scheduled } = this.row;
    this.row = takeStep(this.row, request.step);
    if (request.step === 'turn_period' && scheduled !== null) {
      this.row = { ...this.row, ...scheduled, scheduled: null };
    }
    if (this.taken.length >= this.endAfter) this.row = cancelNow(this.row);
    return this.row;
  };

  // oxlint-disable-next-line typescript/require-await -- what it throws is to be a rejection
  runOperation = async ({ operationId, attempt, at }: OperationRequest): Promise<OperationAnswer> => {
    this.fail();
    const command = this.operations.get(operationId);
    if (command === undefined) throw ApplicationFailure.nonRetryable(`There is no ${operationId}.`);
    if (this.carried.some((carried) => carried.operationId === operationId)) {
      return { kind: 'applied', view: this.row };
    }
    if (nextWake(this.row, at).kind === 'due') {
      this.due += 1;
      return { kind: 'due' };
    }
    if (command.kind === 'refused' || this.row.status === 'cancelled' || this.row.status === 'expired') {
      const refusal = new TollgateError('capability_unavailable', 'Not now.', {
        extra: { capability: { name: 'planChange' } },
      });
      throw refusalFailure(refusal, attempt);
    }
    this.carried.push({ operationId, at, before: this.row });
    this.row = after(this.row, command, at);
    return { kind: 'applied', view: this.row };
  };

  /** The functions only, as the worker needs them. */
  get activities(): SubscriptionActivities {
    const { loadSubscription, takeStep: take, runOperation } = this;
    return { loadSubscription, takeStep: take, runOperation };
  }

  private fail(): void {
    this.calls += 1;
    if (this.failures === 0) return;
    this.failures -= 1;
    // Without a stack, as the real activities fail: a stack would be recorded in the history.
    throw Object.assign(new Error('The database is away.'), { stack: '' });
  }
}

function after(row: SubscriptionView, command: FakeCommand, at: number): SubscriptionView {
  switch (command.kind) {
    case 'refused':
      return row;
    case 'cancel':
      return cancelNow(row);
    case 'pay':
      return withOpenPayments(row, [], at);
    case 'withdraw':
      return { ...row, scheduled: null };
    case 'upgrade':
      return { ...row, planSlug: command.planSlug, scheduled: null };
    case 'downgrade':
      return { ...row, scheduled: { planSlug: command.planSlug, seats: row.seats } };
  }
}
