import { z } from 'zod';
import type { RefundFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { RefundRequest } from '../provider-operations';
import { pathOf } from './address';
import { writeAmount } from './amounts';
import type { ProviderBClient } from './client';
import { refundFacts, saleRefundFacts } from './refund-facts';
import { ProviderBFailure } from './failure';
import { refundObject, saleRefundObject } from './schemas';
import { failureOf, readAfterWrite, writeOutcome } from './outcomes';
import { identifier } from './values';

/**
 * Refunds a capture or a subscription's payment. If it is sent again under its key, which B keeps for 45 days, B
 * answers with the refund of the first request.
 *
 * An order is not refunded: it can have more than one capture, and B requires the capture.
 */
export async function refundPayment(
  client: ProviderBClient,
  access: ConnectionAccess,
  request: RefundRequest,
): Promise<Outcome<RefundFacts>> {
  switch (request.payment.kind) {
    case 'capture':
      return writeOutcome(request, async () => outcomeOf(await refundCapture(client, access, request)));
    case 'payment':
      return writeOutcome(request, async () => outcomeOf(await refundSale(client, access, request)));
    default:
      return {
        kind: 'declined',
        code: 'capture_unknown',
        reason: 'The provider’s reference of the payment is not known yet.',
      };
  }
}

/** @throws ProviderBFailure */
function outcomeOf(refund: RefundFacts): Outcome<RefundFacts> {
  switch (refund.status) {
    case 'succeeded':
      return { kind: 'done', value: refund };
    case 'pending':
      return { kind: 'pending', value: refund };
    case 'failed':
      throw new ProviderBFailure('refused', 'REFUND_FAILED', 'Provider B could not carry out the refund.');
  }
}

const named = z.object({ id: identifier });

async function refundCapture(
  client: ProviderBClient,
  access: ConnectionAccess,
  { key, payment, amount, currency, refundId }: RefundRequest,
): Promise<RefundFacts> {
  const path = `${pathOf('/v2/payments/captures/', payment.reference)}/refund`;
  const body = {
    amount: { value: writeAmount(amount, currency), currency_code: currency },
    custom_id: refundId,
  };
  const options = { requestId: key, whole: true };
  const answer = await client.post(access, path, Buffer.from(JSON.stringify(body)), z.unknown(), options);
  const whole = refundObject.safeParse(answer);
  if (whole.success) return refundFacts(whole.data, payment.reference);
  // A minimal answer has no amount, so the refund is read. An answer without even an id is sent again.
  const made = named.safeParse(answer);
  if (!made.success) {
    throw new ProviderBFailure(
      'unreadable',
      'answer_unreadable',
      'Provider B does not report which refund it made.',
    );
  }
  const { id } = made.data;
  const read = () => client.get(access, pathOf('/v2/payments/refunds/', id), refundObject);
  return refundFacts(await readAfterWrite(read), payment.reference);
}

/** Uses version 1 of the API, whose only field for our id is the invoice number. */
async function refundSale(
  client: ProviderBClient,
  access: ConnectionAccess,
  { key, payment, amount, currency, refundId }: RefundRequest,
): Promise<RefundFacts> {
  const path = `${pathOf('/v1/payments/sale/', payment.reference)}/refund`;
  const body = { amount: { total: writeAmount(amount, currency), currency }, invoice_number: refundId };
  const json = Buffer.from(JSON.stringify(body));
  try {
    return saleRefundFacts(await client.post(access, path, json, saleRefundObject, { requestId: key }));
  } catch (error) {
    const { kind, code, message, status, debugId } = failureOf(error);
    // B uses the same code for a payer's payment method, which a refund does not have.
    if (kind !== 'refused' || code !== 'TRANSACTION_REFUSED') throw error;
    throw new ProviderBFailure('refused', 'SALE_REFUND_REFUSED', message, status, debugId);
  }
}
