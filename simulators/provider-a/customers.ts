import { newId, type Account } from './account';
import { emit } from './events';
import { missing } from './problem';
import { endSubscription } from './renewal';
import { isOver } from './subscriptions';
import type { Customer, Metadata } from './billing-records';

export function createCustomer(
  account: Account,
  email: string | null,
  metadata: Metadata = {},
  name: string | null = null,
): Customer {
  const customer: Customer = account.add({
    id: newId('cus'),
    object: 'customer',
    balance: 0,
    created: account.now,
    email,
    livemode: account.livemode,
    metadata,
    name,
    phone: null,
  });
  emit(account, 'customer.created', customer);
  return customer;
}

/** Handles `GET /v1/customers/{id}`: of a deleted customer, only the id is shown. */
export function showCustomer(account: Account, id: string): unknown {
  const customer = account.get('customer', id);
  return customer.deleted === true ? { id, object: 'customer', deleted: true } : customer;
}

/**
 * Handles `DELETE /v1/customers/{id}`: its subscriptions end at once, and its cards are removed. What it has paid stays
 * (https://docs.stripe.com/api/customers/delete).
 */
export function deleteCustomer(account: Account, id: string): unknown {
  const customer = requireCustomer(account, id);
  for (const subscription of account.all('subscription')) {
    if (subscription.customer === id && !isOver(subscription)) endSubscription(account, subscription);
  }
  account.cards.set(id, 'is_removed');
  emit(account, 'customer.deleted', customer);
  customer.deleted = true;
  return showCustomer(account, id);
}

/**
 * Returns a customer that something new is to be made for.
 *
 * @param param the parameter that names it, if it is not in the address
 * @throws Problem also if the customer was deleted
 */
export function requireCustomer(account: Account, id: string, param?: string): Customer {
  const customer = account.get('customer', id, param);
  if (customer.deleted === true) throw missing('customer', id, param);
  return customer;
}
