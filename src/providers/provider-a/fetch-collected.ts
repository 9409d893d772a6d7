import type Stripe from 'stripe';
import type { z } from 'zod';
import type { CollectedPayment } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { ProviderReference } from '../provider-operations';
import { readOutcome } from './outcomes';
import { clientFor } from './client';
import { paymentWithInvoice } from './fetch-payment';
import { listRefunds } from './fetch-refund';
import { refundsAndDisputesOf } from './list-payments';
import { factsOfCharge } from './payment-facts';
import { referencesOf } from './event-references';
import { factsOfRefund } from './refund-facts';
import { chargeWire, disputeWire, refundWire } from './schemas';

type Charge = z.output<typeof chargeWire>;

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
    return charge && collectedOf(client, charge, { alwaysListRefunds: kind === 'refund' });
  });
}

async function chargeNamed(
  client: Stripe,
  kind: 'charge' | 'refund' | 'dispute',
  reference: string,
): Promise<Charge | undefined> {
  const read = async (id: string | null) =>
    id === null ? undefined : chargeWire.parse(await client.charges.retrieve(id));
  switch (kind) {
    case 'charge':
      return read(reference);
    case 'refund':
      return read(refundWire.parse(await client.refunds.retrieve(reference)).charge);
    case 'dispute':
      return read(disputeWire.parse(await client.disputes.retrieve(reference)).charge);
  }
}

/** @param options.alwaysListRefunds to list them even if no money has gone back, because a refund may have failed */
async function collectedOf(
  client: Stripe,
  charge: Charge,
  { alwaysListRefunds }: { alwaysListRefunds: boolean },
): Promise<CollectedPayment | undefined> {
  const { payment_intent: intent } = charge;
  const payment = intent === null ? factsOfCharge(charge) : await paymentWithInvoice(client, intent);
  if (payment === undefined) return undefined;
  const references = referencesOf({ object: 'charge', ...charge });
  const reversals = await refundsAndDisputesOf(client, charge);
  if (!alwaysListRefunds || reversals.refunds.length > 0) return { payment, references, ...reversals };
  const refunds = await listRefunds(client, { charge: charge.id });
  return {
    payment,
    references,
    ...reversals,
    refunds: refunds.flatMap((refund) => factsOfRefund(refund) ?? []),
  };
}
