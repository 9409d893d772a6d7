import type { WebhookResult } from './webhook-result';
import { reconcileDispute } from './reconcile-dispute';
import { reconcilePayment } from './reconcile-payment';
import { reconcileRefund } from './reconcile-refund';
import { reconcileSettlement, matchSettlementLines } from './reconcile-settlement';
import { lockConcerned, reconcileSubscription } from './reconcile-subscription';
import type { Reconciliation } from './reconciliation';
import { lockNamedCheckout, wakeCheckout } from './wake-checkout';

/**
 * Applies an event to the records it concerns, in the open transaction: the subscription, then the checkout, the
 * payment, refunds, a dispute, and settlements. Rows are locked in this order.
 *
 * @throws StaleFactsError if the subscription has changed since the provider was asked
 */
export async function reconcileEvent(work: Reconciliation): Promise<WebhookResult> {
  const { event, current } = work;
  if (event.type === 'ignored' || (event.type === 'dispute.changed' && event.dispute === undefined)) {
    return resultOf(work, 'ignored', `${event.eventType} has no effect here.`);
  }
  const locked = await lockConcerned(work);
  await lockNamedCheckout(work);
  const subscription = locked && (await reconcileSubscription(work, locked));
  const unknown: string[] = [];
  if (!(await reconcilePayment(work, subscription))) unknown.push('payment');
  for (const refund of current.refunds) {
    const missing = await reconcileRefund(work, refund);
    if (missing !== null) unknown.push(missing);
  }
  if (event.dispute !== undefined && !(await reconcileDispute(work, event.dispute))) {
    unknown.push('payment of the dispute');
  }
  const settlement = current.settlement ?? event.settlement;
  if (settlement !== undefined) await reconcileSettlement(work, settlement);
  await matchSettlementLines(work);
  const ofCheckout = await wakeCheckout(work, subscription);
  const concerned =
    ofCheckout ||
    subscription !== null ||
    current.payment !== null ||
    current.refunds.length > 0 ||
    event.dispute !== undefined ||
    settlement !== undefined;
  if (!concerned) return resultOf(work, 'unmatched', 'It refers to nothing that is known here.');
  if (unknown.length === 0) return resultOf(work, 'applied', null);
  const reason = `The ${unknown.join(' and the ')} is not known here.`;
  return resultOf(work, work.changes.length === 0 ? 'unmatched' : 'applied', reason);
}

function resultOf(
  { notes, changes }: Reconciliation,
  status: WebhookResult['status'],
  reason: string | null,
): WebhookResult {
  const reasons = reason === null ? notes : [reason, ...notes];
  return { status, reason: reasons.length === 0 ? null : reasons.join(' '), changes };
}
