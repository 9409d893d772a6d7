import { findCheckout } from '../../checkouts/checkout-store';
import type { DbTransaction } from '../../db/pools';
import { findPayment } from '../../payments/payment-store';
import { findBilledSubscription } from '../../subscriptions/billed-subscription-store';
import type { ConnectionRef } from '../../connections/connection-ref';
import type { Reference, Targets } from '../../connections/reference-store';
import type { CurrentFacts } from './reconciliation';

/** Finds the subscription that references concern: named directly, by its checkout, or by one of its payments. */
export async function findConcernedSubscription(
  trx: DbTransaction,
  { scope, provider }: ConnectionRef,
  references: readonly Reference[],
  targets: Targets,
): Promise<CurrentFacts['seen']> {
  const id =
    targets.first(references, 'sub_') ??
    (await ofCheckout(trx, scope, targets.first(references, 'chk_'))) ??
    (await ofPayment(trx, scope, targets.first(references, 'pay_')));
  if (id === undefined) return null;
  const subscription = await findBilledSubscription(trx, scope, id, 'read');
  // A reference alone does not select a subscription that another provider bills.
  if (subscription?.provider !== provider) return null;
  return { subscriptionId: subscription.id, version: subscription.version };
}

async function ofCheckout(
  trx: DbTransaction,
  scope: ConnectionRef['scope'],
  id: string | undefined,
): Promise<string | undefined> {
  return id === undefined ? undefined : ((await findCheckout(trx, scope, id))?.subscriptionId ?? undefined);
}

async function ofPayment(
  trx: DbTransaction,
  scope: ConnectionRef['scope'],
  id: string | undefined,
): Promise<string | undefined> {
  if (id === undefined) return undefined;
  return (await findPayment(trx, scope, id, 'read'))?.subscriptionId ?? undefined;
}
