import {
  allHandlersFinished,
  condition,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { CheckoutRun } from './checkout-run';
import { checkoutDetails } from './checkout-wait';
import { continueRunAsNew, mustChangeQueue } from './continue-run-as-new';
import { assertOperationCommand, giveUpCheckout, poke, runOperation, type CheckoutInput } from './messages';
import { createLock } from './one-at-a-time';

/**
 * Runs one checkout, until it is paid, given up or expired. The row is the source of truth: this workflow reads it when
 * signalled, and does what the row says is due. In local billing it expires the checkout at its deadline. At a payment
 * provider it creates the checkout, reads it from time to time in case a webhook is lost, and reads it once more before
 * it ends it there.
 */
export async function checkout(input: CheckoutInput): Promise<void> {
  const oneAtATime = createLock();
  const run = new CheckoutRun(input);

  setHandler(poke, () => {
    run.wakeRequested = true;
  });
  const validator = assertOperationCommand;
  setHandler(runOperation, (sent) => oneAtATime(() => run.reserve(sent)), { validator });
  setHandler(giveUpCheckout, () => oneAtATime(() => run.giveUp()), { validator });

  for (;;) {
    // A command that came first may have read the row already.
    if (run.wakeRequested) await oneAtATime(async () => (run.wakeRequested ? run.load() : undefined));
    run.fresh = false;
    const wait = run.next();
    if (wait === null) {
      setCurrentDetails('Closed');
      await condition(allHandlersFinished);
      if (run.hasNews()) continue;
      return;
    }
    if (Date.now() >= wait.until) {
      await oneAtATime(() => run.takeDue());
      continue;
    }
    const isOver = workflowInfo().continueAsNewSuggested || mustChangeQueue(input.environment);
    if (isOver && allHandlersFinished() && !run.isGivenUp) {
      await continueRunAsNew<typeof checkout>(input.environment, input);
    }
    setCurrentDetails(checkoutDetails(wait));
    await condition(() => run.hasNews(), wait.until - Date.now(), { summary: wait.why });
  }
}
