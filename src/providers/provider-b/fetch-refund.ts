import type { RefundFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { pathOf } from './address';
import { captureOfRefund } from './refunded-capture';
import type { ProviderBClient } from './client';
import { NOT_FOUND, ProviderBFailure } from './failure';
import { readOutcome } from './outcomes';
import { refundFacts, saleRefundFacts } from './refund-facts';
import { isReversal } from './sale-reversal';
import { refundObject, refundOrigin, saleRefundObject } from './schemas';

/** Fetches the refund of a capture or, if none has this reference, of a subscription's payment. */
export function fetchRefund(
  client: ProviderBClient,
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<RefundFacts>> {
  if (isReversal(reference)) {
    const reason = 'Provider B has no object of a payment’s reversal: its event is all there is.';
    return Promise.resolve({ kind: 'unsupported', reason });
  }
  return readOutcome(() => readRefund(client, access, reference));
}

/** @throws ProviderBFailure */
export async function readRefund(
  client: ProviderBClient,
  access: ConnectionAccess,
  reference: string,
): Promise<RefundFacts> {
  try {
    return await refundOfCapture(client, access, reference);
  } catch (error) {
    if (!(error instanceof ProviderBFailure) || error.code !== NOT_FOUND) throw error;
    const path = pathOf('/v1/payments/refund/', reference);
    return saleRefundFacts(await client.get(access, path, saleRefundObject));
  }
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
    `Provider B does not report which capture the refund ${reference} is of.`,
  );
}
