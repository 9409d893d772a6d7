import { newId, type Account } from './account';
import { emit } from './events';
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
