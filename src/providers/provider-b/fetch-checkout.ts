import type { z } from 'zod';
import { DAY_MS } from '../../domain/instant';
import type { PaymentFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { CheckoutFacts, ProviderReference } from '../provider-operations';
import { pathOf } from './address';
import { checkoutOfOrder, checkoutOfSubscription } from './checkout-facts';
import type { ProviderBClient } from './client';
import { NOT_FOUND } from './failure';
import { finalReadOutcome, failureOf, writeOutcome } from './outcomes';
import { transactionFacts } from './payment-facts';
import { readOrder, readSubscription } from './read-objects';
import { subscriptionTransactions, type subscriptionObject } from './schemas';

/** Fetches a checkout by its order or its subscription. B deletes an order that was not approved: `not_found`. */
export async function fetchCheckout(
  client: ProviderBClient,
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<Outcome<CheckoutFacts>> {
  switch (kind) {
    case 'order':
      return finalReadOutcome(async () => checkoutOfOrder(await readOrder(client, access, reference)));
    case 'subscription':
      return finalReadOutcome(async () => {
        const subscription = await readSubscription(client, access, reference);
        return checkoutOfSubscription(subscription, await lastPayment(client, access, subscription));
      });
    default:
      return noCheckout(kind);
  }
}

/**
 * Checks whether a checkout has completed. B has no call that ends an order or a subscription before its approval; both
 * expire at B. `done` means that nothing has to be ended. A customer with the page still open may approve: an order's
 * money is then never captured, and a subscription must be cancelled when B reports it.
 */
export async function expireCheckout(
  client: ProviderBClient,
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<Outcome<null>> {
  if (kind !== 'order' && kind !== 'subscription') return noCheckout(kind);
  return writeOutcome({ repeated: true }, async () => {
    try {
      const { status } =
        kind === 'order'
          ? checkoutOfOrder(await readOrder(client, access, reference))
          : checkoutOfSubscription(await readSubscription(client, access, reference), null);
      if (status === 'complete') {
        return { kind: 'declined', code: 'checkout_complete', reason: 'The checkout has been completed.' };
      }
    } catch (error) {
      if (failureOf(error).code !== NOT_FOUND) throw error;
    }
    return { kind: 'done', value: null };
  });
}

/** Outcome for a reference of a kind that no checkout at B has. */
export function noCheckout(kind: ProviderReference['kind']): { kind: 'unsupported'; reason: string } {
  return { kind: 'unsupported', reason: `Provider B has no checkouts that are named by a ${kind}.` };
}

/**
 * Fetches the last payment of a subscription. The subscription states its time but no reference, so transactions around
 * that time are searched; null if there is none, or the list does not contain it yet.
 *
 * @throws ProviderBFailure
 */
async function lastPayment(
  client: ProviderBClient,
  access: ConnectionAccess,
  { id, billing_info: billing }: z.infer<typeof subscriptionObject>,
): Promise<PaymentFacts | null> {
  const paidAt = billing?.last_payment?.time ?? null;
  if (paidAt === null) return null;
  const around = new URLSearchParams({
    start_time: new Date(paidAt - DAY_MS).toISOString(),
    end_time: new Date(paidAt + DAY_MS).toISOString(),
  });
  const path = `${pathOf('/v1/billing/subscriptions/', id)}/transactions?${around.toString()}`;
  const { transactions } = await client.get(access, path, subscriptionTransactions);
  const succeeded = (transactions ?? [])
    .flatMap((transaction) => transactionFacts(transaction, id) ?? [])
    .filter(({ status }) => status === 'succeeded')
    .sort((a, b) => (b.occurredAt ?? 0) - (a.occurredAt ?? 0));
  return succeeded[0] ?? null;
}
