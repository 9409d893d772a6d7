import type Stripe from 'stripe';
import type { z } from 'zod';
import type { CollectedPayment } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { ProviderReference } from '../provider-operations';
import { readOutcome } from './outcomes';
import { clientFor } from './client';
import { paymentWithInvoice } from './fetch-payment';
import { refundsAndDisputesOf } from './list-payments';
import { factsOfCharge } from './payment-facts';
import { referencesOf } from './event-references';
import { disputeWire, refundedChargeWire, refundWire } from './schemas';

type Charge = z.output<typeof refundedChargeWire>;

/**
 * Fetches the payment of a charge, or of the charge that a refund or a dispute belongs to, with its invoice,
 * subscription and customer.
 *
 * @param named a `charge`, a `refund` or a `dispute`: the kinds that payout lines name
 */
export function fetchCollected(
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<Outcome<CollectedPayment>> {
  if (kind !== 'charge' && kind !== 'refund' && kind !== 'dispute') {
    const reason = `Provider A names no payment of a payout by a ${kind}.`;
    return Promise.resolve({ kind: 'unsupported', reason });
  }
  return readOutcome(async () => {
    const client = clientFor(access);
    const charge = await chargeNamed(client, kind, reference);
    return charge && collectedOf(client, charge);
  });
}

async function chargeNamed(
  client: Stripe,
  kind: 'charge' | 'refund' | 'dispute',
  reference: string,
): Promise<Charge | undefined> {
  const read = async (id: string | null) =>
    id === null
      ? undefined
      : refundedChargeWire.parse(await client.charges.retrieve(id, { expand: ['refunds'] }));
  switch (kind) {
    case 'charge':
      return read(reference);
    case 'refund':
      return read(refundWire.parse(await client.refunds.retrieve(reference)).charge);
    case 'dispute':
      return read(disputeWire.parse(await client.disputes.retrieve(reference)).charge);
  }
}

async function collectedOf(client: Stripe, charge: Charge): Promise<CollectedPayment | undefined> {
  const { payment_intent: intent } = charge;
  const payment = intent === null ? factsOfCharge(charge) : await paymentWithInvoice(client, intent);
  if (payment === undefined) return undefined;
  const references = referencesOf({ object: 'charge', ...charge });
  return { payment, references, ...(await refundsAndDisputesOf(client, charge)) };
}
