import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { RefundAnswer } from '../src/payments/refund-outcome';
import { POSTGRES, PROVIDER } from './activity-options';
import type { ProviderActivities, RefundActivities, RefundView } from './activity-types';
import { providersQueueOf } from './continue-run-as-new';
import type { OperationCommand, OperationResult, RefundInput } from './messages';

const { reserveRefund, loadRefund, completeRefund } = proxyActivities<RefundActivities>(POSTGRES);
/**
 * Longer than all calls of an adapter together, so that no attempt begins while another is still running: not every
 * provider has idempotency keys. The heartbeat shows that a worker has died.
 */
const AT_PROVIDER = {
  ...PROVIDER,
  startToCloseTimeout: '3m',
  heartbeatTimeout: '15s',
  scheduleToCloseTimeout: '10m',
} as const;

/** The state of one run of a refund's workflow, and what it does between its pauses. */
export class RefundRun {
  /** The provider is to be asked. A new run reads the row first. */
  wakeRequested = true;
  private view: RefundView | null = null;
  private readonly provider;

  constructor(private readonly input: RefundInput) {
    const taskQueue = providersQueueOf(input.environment);
    this.provider = proxyActivities<ProviderActivities>({ ...AT_PROVIDER, taskQueue });
  }

  /** The refund while its provider has not decided; null otherwise. */
  get pending(): RefundView | null {
    return this.view?.status === 'pending' ? this.view : null;
  }

  /** Runs the command that requests the refund. */
  async reserve(command: OperationCommand): Promise<OperationResult> {
    const request = { ...this.input, ...command };
    this.view = await reserveRefund.executeWithOptions({ summary: 'Reserve the amount' }, [request]);
    // The row is current now; reading it again would ask the provider again.
    this.wakeRequested = false;
    return this.settle(command);
  }

  /** Reads the row, and asks the provider if it has not decided. */
  async resume(): Promise<void> {
    this.wakeRequested = false;
    this.view = await loadRefund.executeWithOptions({ summary: 'Read the row' }, [this.input]);
    await this.settle(null);
  }

  private async settle(command: OperationCommand | null): Promise<OperationResult> {
    if (this.pending !== null) {
      const outcome = await this.ask(this.pending);
      const summary = `The provider says: ${outcome.kind}`;
      const request = { ...this.input, outcome, command };
      this.view = await completeRefund.executeWithOptions({ summary }, [request]);
    }
    return this.pending === null ? 'applied' : 'pending';
  }

  /** Returns the provider's answer; no answer after some attempts counts as `unknown`. */
  private async ask({ paymentId, provider }: RefundView): Promise<RefundAnswer> {
    const summary = `Refund ${paymentId} at ${provider}`;
    // Workspaces take turns when refunds queue for the providers' workers.
    const priority = { fairnessKey: this.input.workspaceId };
    try {
      return await this.provider.refundAtProvider.executeWithOptions({ summary, priority }, [this.input]);
    } catch (error) {
      if (isCancellation(error)) throw error;
      return { kind: 'unknown' };
    }
  }
}
