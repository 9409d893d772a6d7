import { ApplicationFailure } from '@temporalio/common';
import { HOUR_MS } from '../../src/domain/instant';
import { cancelNow, nextWake, takeStep } from '../../src/domain/lifecycle';
import { nextPastDueRead } from '../../src/domain/past-due-reading';
import { pollAgainAfter, retryPendingCallAt, type ProviderWaits } from '../../src/domain/provider-work';
import { stepBeforeCommand } from '../../src/domain/step-before-command';
import type {
  OperationAnswer,
  OperationRequest,
  ProviderAnswer,
  ProviderStepRequest,
  ProviderSubscriptionActivities,
  SubscriptionActivities,
  SubscriptionView,
} from '../../workflows/activity-types';

export const IDLE: ProviderWaits = { unsettled: null, request: null, sync: null, lookAgainAt: null };
const LOOK_MS = 6 * HOUR_MS;
const TARGET = { planSlug: 'large', seats: 5 };

/** Outcome of an activity at the provider. `crash after`: the work is done but its answer is lost. */
export type Luck = 'done' | 'in doubt' | 'crash before' | 'crash after' | 'fails for good';

/**
 * A row of provider B or C in memory, and what a read of the provider would show: whether the customer has approved,
 * whether the period has turned, whether the subscription is over and whether it is paid.
 */
export class FakeProviderReading implements SubscriptionActivities, ProviderSubscriptionActivities {
  /** The provider activities requested, in order, each with the workspace's time. */
  readonly requests: { what: string; at: number }[] = [];
  /** Writes that must not happen twice, in order. */
  readonly written: string[] = [];
  readonly carried: string[] = [];
  /** Outcomes of the next activities; later ones succeed. */
  luck: Luck[] = [];
  shows = { approved: false, turned: true, over: false, paid: false };
  /** Commands that need no provider call. */
  readonly local = new Map<string, (row: SubscriptionView) => SubscriptionView>();
  private looks = 0;

  constructor(public row: SubscriptionView) {}

  get work(): ProviderWaits {
    return this.row.work ?? IDLE;
  }

  /** Returns the instants at which an activity was requested. */
  timesOf(wanted: string): number[] {
    return this.requests.filter(({ what }) => what === wanted).map(({ at }) => at);
  }

  loadSubscription = (): Promise<SubscriptionView> => Promise.resolve(this.row);

  takeStep = (): Promise<SubscriptionView> => Promise.reject(new Error('A provider turns its own periods.'));

  runOperation = ({ operationId, at }: OperationRequest): Promise<OperationAnswer> => {
    if (stepBeforeCommand(this.row, at) !== null) return Promise.resolve({ kind: 'due' });
    const change = this.local.get(operationId);
    if (change === undefined) {
      this.write({ unsettled: { retryAt: retryPendingCallAt(0, at) } });
      return Promise.resolve({ kind: 'claimed' });
    }
    this.row = change(this.row);
    this.carried.push(operationId);
    return Promise.resolve({ kind: 'applied', view: this.row });
  };

  // oxlint-disable-next-line typescript/require-await -- what it throws is to be a rejection
  runAtProvider = async ({ operationId, at }: OperationRequest): Promise<ProviderAnswer> => {
    const luck = this.meet('command', at);
    if (luck === 'in doubt') return { kind: 'pending', view: this.row };
    this.settle();
    if (luck === 'crash after') throw new Error('Killed after the call.');
    this.carried.push(operationId);
    return { kind: 'applied', view: this.row };
  };

  // oxlint-disable-next-line typescript/require-await -- what it throws is to be a rejection
  takeProviderStep = async ({ step, boundary, at }: ProviderStepRequest): Promise<SubscriptionView> => {
    const luck = this.meet(step, at);
    const wake = nextWake(this.row, at);
    const isDue = wake.kind === 'due' && wake.step === step && wake.boundary === boundary;
    if (isDue && step === 'settle_call') this.settle();
    if (isDue && step === 'check_approval') this.look(at);
    if (isDue && step === 'read_back') this.turn(at);
    if (isDue && step === 'read_past_due') this.readPayment(at);
    if (luck === 'crash after') throw new Error('Killed after it was written.');
    return this.row;
  };

  get billing(): SubscriptionActivities {
    const { loadSubscription, takeStep: take, runOperation } = this;
    return { loadSubscription, takeStep: take, runOperation };
  }

  get providers(): ProviderSubscriptionActivities {
    const { runAtProvider, takeProviderStep } = this;
    return { runAtProvider, takeProviderStep };
  }

  private meet(what: string, at: number): Luck {
    this.requests.push({ what, at });
    const luck = this.luck.shift() ?? 'done';
    if (luck === 'crash before') throw new Error('Killed before the call.');
    if (luck === 'fails for good') throw ApplicationFailure.nonRetryable('Nobody is there.');
    return luck;
  }

  private settle(): void {
    if (this.work.unsettled !== null) this.written.push('settled');
    this.write({ unsettled: null });
  }

  private look(at: number): void {
    const { request } = this.work;
    if (request === null) return;
    if (this.shows.approved) {
      this.written.push('confirmed');
      this.row = { ...this.row, scheduled: TARGET, scheduledInterval: 'month' };
      this.write({ request: null });
    } else if (at >= request.expiresAt) {
      this.written.push('dropped');
      this.write({ request: null });
    } else this.write({ request: { ...request, lookAt: Math.min(at + LOOK_MS, request.expiresAt) } });
  }

  private readPayment(at: number): void {
    if (this.shows.paid) {
      this.written.push('paid');
      this.row = { ...this.row, status: 'active', pastDueSince: null };
      this.write({ pastDueReadAt: null });
    } else this.write({ pastDueReadAt: nextPastDueRead(this.row.pastDueSince ?? at, at) });
  }

  private turn(at: number): void {
    if (this.shows.over) {
      this.written.push('ended');
      this.row = cancelNow(this.row);
    } else if (this.shows.turned) {
      this.written.push('turned');
      const { scheduled } = this.row;
      this.row = { ...takeStep(this.row, 'read_back'), ...scheduled, scheduled: null };
      this.looks = 0;
    } else {
      this.write({ lookAgainAt: pollAgainAfter(this.looks, at) });
      this.looks += 1;
    }
  }

  private write(changes: Partial<ProviderWaits>): void {
    this.row = { ...this.row, work: { ...this.work, ...changes } };
  }
}
