import { condition, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { POSTGRES } from './activity-options';
import type { CheckoutActivities, CheckoutView } from './activity-types';
import { poke, type CheckoutInput } from './messages';

const { loadCheckout, expireCheckout } = proxyActivities<CheckoutActivities>(POSTGRES);

/**
 * One checkout, until it is paid, given up or expired. The row is the truth: this workflow reads it when it is poked,
 * and expires it at its deadline.
 */
export async function checkout(input: CheckoutInput): Promise<void> {
  let poked = true;
  let view: CheckoutView | null = null;
  setHandler(poke, () => {
    poked = true;
  });
  for (;;) {
    if (poked) {
      poked = false;
      view = await loadCheckout.executeWithOptions({ summary: 'Read the row' }, [input]);
      continue;
    }
    if (view?.open !== true) {
      setCurrentDetails('Closed');
      return;
    }
    const deadline = new Date(view.expiresAt).toISOString();
    const now = Date.now() + view.clockOffset;
    if (now >= view.expiresAt) {
      const summary = `Expire at ${deadline}`;
      view = await expireCheckout.executeWithOptions({ summary }, [{ ...input, at: now }]);
      continue;
    }
    setCurrentDetails(`Waits for payment until ${deadline}`);
    await condition(() => poked, view.expiresAt - now, { summary: 'The unpaid checkout expires.' });
  }
}
