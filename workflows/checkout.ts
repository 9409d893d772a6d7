import {
  allHandlersFinished,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { AT_PROVIDER, POSTGRES } from './activity-options';
import type { CheckoutActivities, CheckoutView, ProviderCheckoutActivities } from './activity-types';
import { checkoutDetails, checkoutWait } from './checkout-wait';
import { continueRunAsNew, mustChangeQueue, providersQueueOf } from './continue-run-as-new';
import {
  assertOperationCommand,
  giveUpCheckout,
  poke,
  runOperation,
  type CheckoutInput,
  type OperationCommand,
  type OperationResult,
} from './messages';
import { createLock } from './one-at-a-time';

const { loadCheckout, expireCheckout, reserveCheckout } = proxyActivities<CheckoutActivities>(POSTGRES);

/** Pause after an activity at the provider that failed without recording a retry time (milliseconds). */
const PAUSE_MS = 60_000;

/**
 * Runs one checkout, until it is paid, given up or expired. The row is the source of truth: this workflow reads it when
 * signalled, and does what the row says is due. In local billing it expires the checkout at its deadline. At a payment
 * provider it creates the checkout, reads it from time to time in case a webhook is lost, and reads it once more before
 * it ends it there.
 */
export async function checkout(input: CheckoutInput): Promise<void> {
  const oneAtATime = createLock();
  const { createCheckoutAtProvider, settleCheckoutAtProvider } = proxyActivities<ProviderCheckoutActivities>({
    ...AT_PROVIDER,
    taskQueue: providersQueueOf(input.environment),
  });
  // Workspaces take turns when checkouts queue for the providers' workers.
  const priority = { fairnessKey: input.workspaceId };
  let wakeRequested = true;
  /** A handler has changed what the workflow waits for. */
  let fresh = false;
  let givenUp = false;
  let pausedUntil = 0;
  let view: CheckoutView | null = null;

  const load = async (): Promise<void> => {
    wakeRequested = false;
    pausedUntil = 0;
    view = await loadCheckout.executeWithOptions({ summary: 'Read the row' }, [input]);
  };
  const atProvider = async (summary: string, ask: () => Promise<CheckoutView | null>): Promise<void> => {
    setCurrentDetails(summary);
    try {
      view = await ask();
      // If the same task is still due, pause before calling again.
      const isDue = (checkoutWait(view, 0)?.until ?? Infinity) <= Date.now();
      pausedUntil = isDue ? Date.now() + PAUSE_MS : 0;
    } catch (error) {
      if (isCancellation(error)) throw error;
      pausedUntil = Date.now() + PAUSE_MS;
    }
    fresh = true;
  };
  const create = (): Promise<void> => {
    const summary = 'Have it made at the provider';
    return atProvider(summary, () =>
      createCheckoutAtProvider.executeWithOptions({ summary, priority }, [input]),
    );
  };
  const settle = (): Promise<void> => {
    const summary = givenUp ? 'End it at the provider, unless it is paid' : 'Read the provider';
    return atProvider(summary, () =>
      settleCheckoutAtProvider.executeWithOptions({ summary, priority }, [{ ...input, givenUp }]),
    );
  };
  const takeDue = async (): Promise<void> => {
    const wait = checkoutWait(view, pausedUntil);
    if (wait === null || Date.now() < wait.until) return;
    switch (wait.task) {
      case 'create':
        return create();
      case 'settle':
        return settle();
      case 'expire': {
        const summary = `Expire at ${new Date(wait.expiresAt).toISOString()}`;
        const at = Date.now() + wait.clockOffset;
        view = await expireCheckout.executeWithOptions({ summary }, [{ ...input, at }]);
      }
    }
  };
  const command = async ({ operationId }: OperationCommand): Promise<OperationResult> => {
    const summary = `Reserve for ${operationId}`;
    view = await reserveCheckout.executeWithOptions({ summary }, [{ ...input, operationId }]);
    fresh = true;
    if (view?.atProvider?.task === 'create') await create();
    return isBeingMade() ? 'pending' : 'applied';
  };
  const giveUp = async (): Promise<OperationResult> => {
    givenUp = true;
    await settle();
    return view?.open === false ? 'applied' : 'pending';
  };

  setHandler(poke, () => {
    wakeRequested = true;
  });
  const validator = assertOperationCommand;
  setHandler(runOperation, (sent) => oneAtATime(() => command(sent)), { validator });
  setHandler(giveUpCheckout, () => oneAtATime(giveUp), { validator });

  for (;;) {
    // A command that came first may have read the row already.
    if (isWakeRequested()) await oneAtATime(async () => (isWakeRequested() ? load() : undefined));
    fresh = false;
    const wait = checkoutWait(view, pausedUntil);
    if (wait === null) {
      setCurrentDetails('Closed');
      await condition(allHandlersFinished);
      if (hasNews()) continue;
      return;
    }
    if (Date.now() >= wait.until) {
      await oneAtATime(takeDue);
      continue;
    }
    // Only this run remembers that the checkout was given up.
    const isOver = workflowInfo().continueAsNewSuggested || mustChangeQueue(input.environment);
    if (isOver && allHandlersFinished() && !isGivenUp()) {
      await continueRunAsNew<typeof checkout>(input.environment, input);
    }
    setCurrentDetails(checkoutDetails(wait));
    await condition(hasNews, wait.until - Date.now(), { summary: wait.why });
  }

  function isWakeRequested(): boolean {
    return wakeRequested;
  }
  function hasNews(): boolean {
    return wakeRequested || fresh;
  }
  function isGivenUp(): boolean {
    return givenUp;
  }
  function isBeingMade(): boolean {
    return view?.atProvider?.task === 'create';
  }
}
