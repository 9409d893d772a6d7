import {
  allHandlersFinished,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { RefundAnswer } from '../src/payments/refund-outcome';
import { POSTGRES, PROVIDER } from './activity-options';
import type { ProviderActivities, RefundActivities, RefundView } from './activity-types';
import { continueRunAsNew, mustChangeQueue, providersQueueOf } from './continue-run-as-new';
import {
  assertOperationCommand,
  poke,
  runOperation,
  type OperationCommand,
  type OperationResult,
  type RefundInput,
} from './messages';
import { createLock } from './one-at-a-time';

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

/** Pause before an undecided provider is asked again, if the row says no time (milliseconds). */
const PAUSE_MS = 300_000;
/** The shortest such pause: the row's time is a worker's, whose clock may be behind Temporal's (milliseconds). */
const SHORTEST_PAUSE_MS = 60_000;

/**
 * Runs one refund: reserves its amount and requests it at the provider; the requesting activity stores the result.
 * While the outcome is unknown, requests it again under the refund's own key. A run started without a command continues
 * from the row.
 */
export async function refund(input: RefundInput): Promise<void> {
  const oneAtATime = createLock();
  const taskQueue = providersQueueOf(input.environment);
  const { refundAtProvider } = proxyActivities<ProviderActivities>({ ...AT_PROVIDER, taskQueue });
  let wakeRequested = true;
  let view: RefundView | null = null;

  /** Returns the provider's answer; no answer after some attempts counts as `unknown`. */
  const ask = async (open: RefundView): Promise<RefundAnswer> => {
    try {
      const summary = `Refund ${open.paymentId} at ${open.provider}`;
      // Workspaces take turns when refunds queue for the providers' workers.
      const priority = { fairnessKey: input.workspaceId };
      return await refundAtProvider.executeWithOptions({ summary, priority }, [input]);
    } catch (error) {
      if (isCancellation(error)) throw error;
      return { kind: 'unknown' };
    }
  };
  const settle = async (open: RefundView, command: OperationCommand | null): Promise<OperationResult> => {
    const outcome = await ask(open);
    const summary = `The provider says: ${outcome.kind}`;
    view = await completeRefund.executeWithOptions({ summary }, [{ ...input, outcome, command }]);
    return view?.status === 'pending' ? 'pending' : 'applied';
  };
  const resume = async (): Promise<void> => {
    wakeRequested = false;
    view = await loadRefund.executeWithOptions({ summary: 'Read the row' }, [input]);
    if (view?.status === 'pending') await settle(view, null);
  };
  const command = async (sent: OperationCommand): Promise<OperationResult> => {
    const reserving = { ...input, ...sent };
    view = await reserveRefund.executeWithOptions({ summary: 'Reserve the amount' }, [reserving]);
    // The row is current now; reading it again would ask the provider again.
    wakeRequested = false;
    return view?.status === 'pending' ? settle(view, sent) : 'applied';
  };

  setHandler(poke, () => {
    wakeRequested = true;
  });
  setHandler(runOperation, (received) => oneAtATime(() => command(received)), {
    validator: assertOperationCommand,
  });

  for (;;) {
    // A command that came first may have asked already.
    if (isWakeRequested()) await oneAtATime(async () => (isWakeRequested() ? resume() : undefined));
    await condition(allHandlersFinished);
    if (isWakeRequested()) continue;
    const waiting = stillOpen();
    if (waiting === null) {
      setCurrentDetails('Settled');
      return;
    }
    if (workflowInfo().continueAsNewSuggested || mustChangeQueue(input.environment)) {
      await continueRunAsNew<typeof refund>(input.environment, input);
    }
    setCurrentDetails('Waits for the provider’s decision');
    const remaining = (waiting.nextWakeAt ?? Date.now() + PAUSE_MS) - Date.now();
    const pause = Math.max(SHORTEST_PAUSE_MS, remaining);
    const summary = 'The provider is asked again.';
    const woken = await condition(() => wakeRequested || !allHandlersFinished(), pause, { summary });
    if (!woken) wakeRequested = true;
  }

  function isWakeRequested(): boolean {
    return wakeRequested;
  }
  function stillOpen(): RefundView | null {
    return view?.status === 'pending' ? view : null;
  }
}
