import { ApplicationFailure } from '@temporalio/common';
import { TollgateError } from '../../src/domain/errors';
import { cancelNow, nextWake, takeStep } from '../../src/domain/lifecycle';
import { retryPendingCallAt, type ProviderWaits } from '../../src/domain/provider-work';
import { stepBeforeCommand } from '../../src/domain/step-before-command';
import { refusalFailure } from '../../src/temporal/refusal';
import type {
  OperationAnswer,
  OperationRequest,
  ProviderAnswer,
  ProviderStepRequest,
  ProviderSubscriptionActivities,
  SubscriptionActivities,
  SubscriptionView,
} from '../../workflows/activity-types';
import { PREPARE_RETRY_MS } from '../../src/domain/synchronizer-marker';

const IDLE: ProviderWaits = { unsettled: null, request: null, sync: null, lookAgainAt: null };

/** Outcome of an activity at the provider. In a crash its worker dies, before or after the work is done. */
export type Luck = 'done' | 'in doubt' | 'fails' | 'crash before' | 'crash after' | 'fails for good';

/** `at provider`: the provider must carry it out. `local`: needs no provider call. `refused`: the provider refuses. */
export type FakeProviderCommand = 'at provider' | 'local' | 'refused';

/** A row that provider A bills, and the provider, in memory. Uses the domain's functions, like the real activities. */
export class FakeProviderBilling implements SubscriptionActivities, ProviderSubscriptionActivities {
  /** The provider activities requested, in order, each with the workspace's time. */
  readonly requests: { what: string; at: number }[] = [];
  /** Effects at the provider. */
  readonly effects: string[] = [];
  readonly carried: string[] = [];
  /** Outcomes of the next activities; later ones succeed. */
  luck: Luck[] = [];
  /** Runs after a command has read the row, and before its answer reaches the workflow. */
  beforeAnswer = (): Promise<void> => Promise.resolve();
  private readonly commands = new Map<string, FakeProviderCommand>();

  constructor(public row: SubscriptionView) {}

  accept(operationId: string, command: FakeProviderCommand): void {
    this.commands.set(operationId, command);
  }

  get work(): ProviderWaits {
    return this.row.work ?? IDLE;
  }

  /** The activities requested, without consecutive repeats (retries). */
  get steps(): string[] {
    return this.requests.map(({ what }) => what).filter((what, index, all) => what !== all[index - 1]);
  }

  loadSubscription = (): Promise<SubscriptionView> => Promise.resolve(this.row);

  takeStep = (): Promise<SubscriptionView> => Promise.reject(new Error('A provider turns its own periods.'));

  // oxlint-disable-next-line typescript/require-await -- what it throws is to be a rejection
  runOperation = async ({ operationId, at }: OperationRequest): Promise<OperationAnswer> => {
    if (stepBeforeCommand(this.row, at) !== null) return { kind: 'due' };
    if (this.commands.get(operationId) !== 'local') {
      this.write({ unsettled: { retryAt: retryPendingCallAt(0, at) } });
      return { kind: 'claimed' };
    }
    this.carried.push(operationId);
    this.row = { ...this.row, scheduled: null, scheduledInterval: null };
    return { kind: 'applied', view: this.row };
  };

  runAtProvider = (request: OperationRequest): Promise<ProviderAnswer> => {
    const { operationId, attempt, at } = request;
    return this.ask('command', at, async (luck) => {
      if (this.commands.get(operationId) === 'refused') {
        this.write({ unsettled: null });
        throw refusalFailure(new TollgateError('payment_declined', 'The card was declined.'), attempt);
      }
      if (luck === 'in doubt') return { kind: 'pending', view: this.row };
      await this.carryOut(luck);
      this.carried.push(operationId);
      const view = this.row;
      await this.beforeAnswer();
      return { kind: 'applied', view };
    });
  };

  /** Changes the row as a webhook does: the provider is read at an instant. */
  readAgainAt(lookAgainAt: number): void {
    this.write({ lookAgainAt });
  }

  takeProviderStep = ({ step, boundary, at }: ProviderStepRequest): Promise<SubscriptionView> =>
    this.ask(step, at, async (luck) => {
      const wake = nextWake(this.row, at);
      if (wake.kind !== 'due' || wake.step !== step || wake.boundary !== boundary) return this.row;
      if (step === 'settle_call') await this.carryOut(luck);
      else if (step === 'prepare_change') await this.prepare(luck, at);
      else this.turn();
      return this.row;
    });

  get billing(): SubscriptionActivities {
    const { loadSubscription, takeStep: take, runOperation } = this;
    return { loadSubscription, takeStep: take, runOperation };
  }

  get providers(): ProviderSubscriptionActivities {
    const { runAtProvider, takeProviderStep } = this;
    return { runAtProvider, takeProviderStep };
  }

  private async ask<Result>(
    what: string,
    at: number,
    work: (luck: Luck) => Promise<Result>,
  ): Promise<Result> {
    this.requests.push({ what, at });
    const luck = this.luck.shift() ?? 'done';
    if (luck === 'crash before') throw new Error('Killed before the call.');
    // Without a stack, whose file names a stored history must not hold.
    if (luck === 'fails for good')
      throw Object.assign(ApplicationFailure.nonRetryable('Nobody is there.'), { stack: '' });
    return work(luck);
  }

  private async carryOut(luck: Luck): Promise<void> {
    this.affect('cancelled');
    if (luck === 'crash after') await Promise.reject(new Error('Killed after the call.'));
    this.row = { ...this.row, cancelAtPeriodEnd: true, scheduled: null, scheduledInterval: null };
    this.write({ unsettled: null, sync: null });
  }

  /** Works in two phases, like the real one: a claimed change may have been sent. */
  private async prepare(luck: Luck, at: number): Promise<void> {
    this.write({ sync: { state: 'claimed', retryAt: null } });
    if (luck === 'fails') {
      this.write({ sync: { state: 'failed', retryAt: at + PREPARE_RETRY_MS } });
      return;
    }
    this.affect(`told of ${this.row.scheduled?.planSlug ?? 'nothing'}`);
    if (luck === 'crash after') await Promise.reject(new Error('Killed after the call.'));
    this.write({ sync: { state: 'prepared', retryAt: null } });
  }

  private turn(): void {
    const { row } = this;
    const { scheduled } = row;
    const prepared = this.work.sync?.state === 'prepared';
    const turned = row.cancelAtPeriodEnd === true ? cancelNow(row) : takeStep(row, 'read_back');
    if (scheduled === null || row.cancelAtPeriodEnd === true) this.row = turned;
    else if (prepared) this.row = { ...turned, ...scheduled, scheduled: null };
    else {
      const sync = { state: 'failed', retryAt: null } as const;
      this.row = { ...turned, scheduledInterval: row.scheduledInterval, work: { ...IDLE, sync } };
    }
  }

  /** Records an effect once, however often it is requested, because the provider is idempotent. */
  private affect(effect: string): void {
    if (this.effects.at(-1) !== effect) this.effects.push(effect);
  }

  private write(changes: Partial<ProviderWaits>): void {
    this.row = { ...this.row, work: { ...this.work, ...changes } };
  }
}
