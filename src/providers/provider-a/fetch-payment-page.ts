import { z } from 'zod';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { clientFor } from './client';
import { readOutcome } from './outcomes';
import { reference } from './schemas';

const billed = z.looseObject({ latest_invoice: reference });
const payable = z.looseObject({
  status: z.string().nullish(),
  hosted_invoice_url: z.string().nullish(),
});

/** Returns the page where the customer pays the latest invoice; null if it is not open or has no page. */
export function fetchPaymentPage(
  access: ConnectionAccess,
  subscription: string,
): Promise<Outcome<string | null>> {
  return readOutcome(async () => {
    const client = clientFor(access);
    const { latest_invoice: invoice } = billed.parse(await client.subscriptions.retrieve(subscription));
    if (!invoice) return null;
    const { status, hosted_invoice_url: url } = payable.parse(await client.invoices.retrieve(invoice));
    return status === 'open' ? (url ?? null) : null;
  });
}
