import { isCancellation, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { AT_PROVIDER, POSTGRES } from './activity-options';
import type { CheckoutActivities, CheckoutView, ProviderCheckoutActivities } from './activity-types';
import { checkoutWait } from './checkout-wait';
import { providersQueueOf } from './continue-run-as-new';
import type { CheckoutInput, OperationCommand, OperationResult } from './messages';

const { loadCheckout, expireCheckout, reserveCheckout } = proxyActivities<CheckoutActivities>(POSTGRES);

/** Pause after an activity at the provider that failed without recording a retry time (milliseconds). */
const PAUSE_MS = 60_000;

/** The state of one run of a checkout's workflow, and what it does between its pauses. */
export class CheckoutRun {
  /** The row may have changed since it was read. A new run reads it first. */
  wakeRequested = true;
  /** A handler has changed what the workflow waits for. */
  fresh = false;
  /** Only this run remembers it. */
  isGivenUp = false;
  private pausedUntil = 0;
  private view: CheckoutView | null = null;
  private readonly provider;
  /** Workspaces take turns when checkouts queue for the providers' workers. */
  private readonly priority;

  constructor(private readonly input: CheckoutInput) {
    const taskQueue = providersQueueOf(input.environment);
    this.provider = proxyActivities<ProviderCheckoutActivities>({ ...AT_PROVIDER, taskQueue });
    this.priority = { fairnessKey: input.workspaceId };
  }

  /** Returns whether the row must be checked again. */
  hasNews(): boolean {
    return this.wakeRequested || this.fresh;
  }

  /** Returns what the checkout waits for; null if nothing remains to be done. */
  next(): ReturnType<typeof checkoutWait> {
    return checkoutWait(this.view, this.pausedUntil);
  }

  /** Reads the row. */
  async load(): Promise<void> {
    this.wakeRequested = false;
    this.pausedUntil = 0;
    this.view = await loadCheckout.executeWithOptions({ summary: 'Read the row' }, [this.input]);
  }

  /** Does what is due, if anything. */
  async takeDue(): Promise<void> {
    const wait = this.next();
    if (wait === null || Date.now() < wait.until) return;
    switch (wait.task) {
      case 'create':
        return this.create();
      case 'settle':
        return this.settle();
      case 'expire': {
        const summary = `Expire at ${new Date(wait.expiresAt).toISOString()}`;
        const at = Date.now() + wait.clockOffset;
        this.view = await expireCheckout.executeWithOptions({ summary }, [{ ...this.input, at }]);
      }
    }
  }

  /** Runs the command that creates the checkout. */
  async reserve(command: OperationCommand): Promise<OperationResult> {
    const summary = `Reserve for ${command.operationId}`;
    this.view = await reserveCheckout.executeWithOptions({ summary }, [{ ...this.input, ...command }]);
    this.fresh = true;
    if (this.isToBeCreated()) await this.create();
    return this.isToBeCreated() ? 'pending' : 'applied';
  }

  /** Ends the checkout at the provider, unless it is paid. */
  async giveUp(): Promise<OperationResult> {
    this.isGivenUp = true;
    await this.settle();
    return this.view?.open === false ? 'applied' : 'pending';
  }

  private isToBeCreated(): boolean {
    return this.view?.atProvider?.task === 'create';
  }

  private create(): Promise<void> {
    const summary = 'Have it made at the provider';
    const options = { summary, priority: this.priority };
    return this.atProvider(summary, () =>
      this.provider.createCheckoutAtProvider.executeWithOptions(options, [this.input]),
    );
  }

  private settle(): Promise<void> {
    const { isGivenUp: givenUp } = this;
    const summary = givenUp ? 'End it at the provider, unless it is paid' : 'Read the provider';
    const options = { summary, priority: this.priority };
    return this.atProvider(summary, () =>
      this.provider.settleCheckoutAtProvider.executeWithOptions(options, [{ ...this.input, givenUp }]),
    );
  }

  private async atProvider(summary: string, ask: () => Promise<CheckoutView | null>): Promise<void> {
    setCurrentDetails(summary);
    try {
      this.view = await ask();
      // If the same task is still due, pause before calling again.
      const isDue = (checkoutWait(this.view, 0)?.until ?? Infinity) <= Date.now();
      this.pausedUntil = isDue ? Date.now() + PAUSE_MS : 0;
    } catch (error) {
      if (isCancellation(error)) throw error;
      this.pausedUntil = Date.now() + PAUSE_MS;
    }
    this.fresh = true;
  }
}
