import { z } from 'zod';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { clientFor } from './client';
import { readOutcome } from './outcomes';
import { isForgiven, isOfChange } from './invoice-facts';
import { invoiceWire, reference } from './schemas';

const billed = z.looseObject({ latest_invoice: reference });
const payable = invoiceWire
  .pick({ status: true, status_details: true })
  .extend({ hosted_invoice_url: z.string().nullish() });
const listed = z.looseObject({ data: z.array(payable) });

/**
 * Returns the page where the customer pays the latest open invoice; null if there is none, or if it has no page. An
 * earlier invoice may be open while the latest is not: that of a new period is a draft at first. After the last attempt
 * to collect an invoice, the merchant may have it marked as uncollectible: it is owed, and can be paid, as before.
 */
export function fetchPaymentPage(
  access: ConnectionAccess,
  subscription: string,
): Promise<Outcome<string | null>> {
  return readOutcome(async () => {
    const client = clientFor(access);
    const { latest_invoice: invoice } = billed.parse(await client.subscriptions.retrieve(subscription));
    if (!invoice) return null;
    const latest = payable.parse(await client.invoices.retrieve(invoice));
    if (latest.status === 'open') return latest.hosted_invoice_url ?? null;
    const { data } = listed.parse(await client.invoices.list({ subscription, limit: 100 }));
    const open = data.find((one) => one.status === 'open' && !isOfChange(one));
    const last = data.find(({ status }) => status !== 'draft');
    const due = open ?? (last?.status === 'uncollectible' && !isForgiven(last) ? last : undefined);
    return due?.hosted_invoice_url ?? null;
  });
}
