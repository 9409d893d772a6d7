import type { CollectedPayment, RefundFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { ProviderReference } from '../provider-operations';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
import { captureFacts, saleFacts } from './payment-facts';
import { ProviderBFailure } from './failure';
import { fetchRefund } from './fetch-refund';
import { captureObject, saleObject } from './schemas';
import { readOutcome } from './outcomes';

/**
 * The payment of a line of the report: a capture with its order, or a sale with its subscription; or the payment that
 * a refund is of, with that refund.
 */
export async function fetchCollected(
  client: ProviderBClient,
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<Outcome<CollectedPayment>> {
  switch (kind) {
    case 'payment':
    case 'capture':
      return readOutcome(() => readPayment(client, access, kind, reference));
    case 'refund': {
      const refund = await fetchRefund(client, access, reference);
      return refund.kind === 'done' ? withPayment(client, access, refund.value) : forwarded(refund);
    }
    default:
      return { kind: 'unsupported', reason: `Provider B names no payment of its report by a ${kind}.` };
  }
}

function withPayment(
  client: ProviderBClient,
  access: ConnectionAccess,
  refund: RefundFacts,
): Promise<Outcome<CollectedPayment>> {
  return readOutcome(async () => {
    const kind = refund.of.kind === 'capture' ? 'capture' : 'payment';
    const collected = await readPayment(client, access, kind, refund.of.reference);
    return { ...collected, refunds: [refund] };
  });
}

/** A disputed payment is called a capture also where it is a subscription's sale. */
async function readPayment(
  client: ProviderBClient,
  access: ConnectionAccess,
  kind: 'payment' | 'capture',
  reference: string,
): Promise<CollectedPayment> {
  if (kind === 'payment') return readSale(client, access, reference);
  try {
    return await readCapture(client, access, reference);
  } catch (error) {
    if (!(error instanceof ProviderBFailure) || error.status !== 404) throw error;
    return readSale(client, access, reference);
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

function forwarded(outcome: Exclude<Outcome<RefundFacts>, { kind: 'done' }>): Outcome<CollectedPayment> {
  return outcome.kind === 'pending'
    ? { kind: 'unknown', reason: 'Provider B has not finished the refund.' }
    : outcome;
}
