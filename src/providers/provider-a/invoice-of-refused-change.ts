import type Stripe from 'stripe';
import type { z } from 'zod';
import { isOfChange, subscriptionOfInvoice } from './invoice-facts';
import { subscriptionWire, type invoiceWire } from './schemas';

/**
 * Returns whether an unpaid invoice charges for a change that was refused, so that nothing is due for it. A change that
 * the merchant makes at the provider takes effect before it is paid: its invoice is owed, and the subscription past
 * due.
 */
export async function isOfRefusedChange(
  client: Stripe,
  invoice: z.output<typeof invoiceWire>,
): Promise<boolean> {
  const { id, status } = invoice;
  if (!isOfChange(invoice)) return false;
  const subscription = subscriptionOfInvoice(invoice);
  const isUnpaid = status === 'open' || status === 'uncollectible';
  if (!isUnpaid || subscription === null) return true;
  const shown = subscriptionWire.parse(await client.subscriptions.retrieve(subscription));
  return shown.latest_invoice !== id || (shown.status !== 'past_due' && shown.status !== 'unpaid');
}
