import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { addReference, findReferred, type Reference } from '../../connections/reference-store';
import type { Reconciliation } from './reconciliation';

/** Returns whether the provider's subscription belongs to this one. Each is tied to at most one counterpart. */
export async function isSameSubscription(
  { trx, connection, targets, notes }: Reconciliation,
  { id }: BilledSubscription,
  { reference }: SubscriptionFacts,
): Promise<boolean> {
  const known = targets.of({ kind: 'subscription', reference }, 'sub_');
  if (known === id) return true;
  const taken = known !== undefined || (await findReferred(trx, connection, 'subscription', [id])).has(id);
  if (taken) notes.push(`${id} belongs to another subscription at the provider than ${reference}.`);
  return !taken;
}

export async function addSubscriptionReferences(
  { trx, connection, targets, newReferences, recordedAt }: Reconciliation,
  { id, customerId }: BilledSubscription,
  facts: SubscriptionFacts,
): Promise<void> {
  const learn = async (reference: Reference, target: string): Promise<void> => {
    if (targets.has(reference, target)) return;
    if (await addReference(trx, connection, reference, target, recordedAt)) newReferences.push(reference);
  };
  await learn({ kind: 'subscription', reference: facts.reference }, id);
  const { customerReference } = facts;
  if (customerReference !== null) await learn({ kind: 'customer', reference: customerReference }, customerId);
}
