import type { PaymentFacts, ReferenceKind, RefundFacts, SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { pathOf } from './address';
import { captureOfRefund } from './capture-reference';
import type { ProviderBClient } from './client';
import {
  captureFacts,
  orderFacts,
  refundFacts,
  saleFacts,
  saleRefundFacts,
  subscriptionFacts,
} from './facts';
import { ProviderBFailure } from './failure';
import {
  captureObject,
  orderObject,
  refundObject,
  refundOrigin,
  saleObject,
  saleRefundObject,
} from './objects';
import { readOutcome } from './outcomes';
import { readSubscription } from './read-objects';
import { isReversal } from './sale-reversal';

export function fetchSubscription(
  client: ProviderBClient,
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<SubscriptionFacts>> {
  return readOutcome(async () => subscriptionFacts(await readSubscription(client, access, reference)));
}

/** A capture, an order (its capture, where there is one), or a subscription's payment (kind `payment`). */
export async function fetchPayment(
  client: ProviderBClient,
  access: ConnectionAccess,
  kind: ReferenceKind,
  reference: string,
): Promise<Outcome<PaymentFacts>> {
  switch (kind) {
    case 'capture':
      return readOutcome(async () =>
        captureFacts(await client.get(access, pathOf('/v2/payments/captures/', reference), captureObject)),
      );
    case 'order':
      return readOutcome(async () =>
        orderFacts(await client.get(access, pathOf('/v2/checkout/orders/', reference), orderObject)),
      );
    case 'payment':
      return readOutcome(async () =>
        saleFacts(await client.get(access, pathOf('/v1/payments/sale/', reference), saleObject)),
      );
    default:
      return { kind: 'unsupported', reason: `Provider B has no payments that are named by a ${kind}.` };
  }
}

/** The refund of a capture, or where there is none of this name, of a subscription's payment. */
export function fetchRefund(
  client: ProviderBClient,
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<RefundFacts>> {
  if (isReversal(reference)) {
    const reason = 'Provider B has no object of a payment’s reversal: its event is all there is.';
    return Promise.resolve({ kind: 'unsupported', reason });
  }
  return readOutcome(async () => {
    try {
      return await refundOfCapture(client, access, reference);
    } catch (error) {
      if (!(error instanceof ProviderBFailure) || error.status !== 404) throw error;
      const path = pathOf('/v1/payments/refund/', reference);
      return saleRefundFacts(await client.get(access, path, saleRefundObject));
    }
  });
}

const refundOfCaptureObject = refundObject.extend(refundOrigin.shape);

async function refundOfCapture(
  client: ProviderBClient,
  access: ConnectionAccess,
  reference: string,
): Promise<RefundFacts> {
  const path = pathOf('/v2/payments/refunds/', reference);
  const refund = await client.get(access, path, refundOfCaptureObject);
  const capture = captureOfRefund(refund);
  if (capture !== null) return refundFacts(refund, capture);
  throw new ProviderBFailure(
    'unreadable',
    'answer_unreadable',
    `Provider B does not say which capture the refund ${reference} is of.`,
  );
}
