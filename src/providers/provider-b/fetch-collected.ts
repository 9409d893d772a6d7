import type { CollectedPayment } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { ProviderReference } from '../provider-operations';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
import { captureFacts, saleFacts } from './payment-facts';
import { NOT_FOUND } from './failure';
import { readRefund } from './fetch-refund';
import { captureObject, saleObject } from './schemas';
import { failureOf, finalReadOutcome } from './outcomes';

/**
 * Fetches the payment of a report line: a capture with its order, a sale with its subscription, or the refunded payment
 * with its refund. The report covers everything the account received. Objects that B shows only to another app of the
 * merchant are refused, and that refusal is final: asking again would not help.
 */
export async function fetchCollected(
  client: ProviderBClient,
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<Outcome<CollectedPayment>> {
  switch (kind) {
    case 'payment':
    case 'capture':
      return finalReadOutcome(() => readPayment(client, access, kind, reference));
    case 'refund':
      return finalReadOutcome(async () => {
        const refund = await readRefund(client, access, reference);
        const of = refund.of.kind === 'capture' ? 'capture' : 'payment';
        return { ...(await readPayment(client, access, of, refund.of.reference)), refunds: [refund] };
      });
    default:
      return { kind: 'unsupported', reason: `Provider B names no payment of its report by a ${kind}.` };
  }
}

/**
 * Reads a capture or a sale. B names both alike, and also shows a subscription's payment as a capture, but as one of no
 * order: only the sale names the subscription.
 */
async function readPayment(
  client: ProviderBClient,
  access: ConnectionAccess,
  kind: 'payment' | 'capture',
  reference: string,
): Promise<CollectedPayment> {
  if (kind === 'payment') return readSale(client, access, reference);
  let captured: CollectedPayment;
  try {
    captured = await readCapture(client, access, reference);
  } catch (error) {
    if (failureOf(error).code !== NOT_FOUND) throw error;
    return readSale(client, access, reference);
  }
  if (captured.references.length > 0) return captured;
  try {
    const sale = await readSale(client, access, reference);
    return sale.payment.subscriptionReference === null ? captured : sale;
  } catch (error) {
    if (failureOf(error).kind === 'unavailable') throw error;
    return captured;
  }
}

async function readSale(
  client: ProviderBClient,
  access: ConnectionAccess,
  reference: string,
): Promise<CollectedPayment> {
  const payment = saleFacts(await client.get(access, pathOf('/v1/payments/sale/', reference), saleObject));
  const { subscriptionReference } = payment;
  const references =
    subscriptionReference === null
      ? []
      : [{ kind: 'subscription' as const, reference: subscriptionReference }];
  return { payment, references, refunds: [], disputes: [] };
}

async function readCapture(
  client: ProviderBClient,
  access: ConnectionAccess,
  reference: string,
): Promise<CollectedPayment> {
  const capture = await client.get(access, pathOf('/v2/payments/captures/', reference), captureObject);
  const order = capture.supplementary_data?.related_ids?.order_id ?? null;
  const references = order === null ? [] : [{ kind: 'order' as const, reference: order }];
  return { payment: captureFacts(capture), references, refunds: [], disputes: [] };
}
