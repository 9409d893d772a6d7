import { TollgateError } from '../domain/errors';
import type { CustomerRow } from './customer-store';

/** @throws TollgateError customer_not_found */
export function requireCustomer(customer: CustomerRow | undefined, name: string): CustomerRow {
  if (customer !== undefined) return customer;
  throw new TollgateError('customer_not_found', `There is no customer "${name}" in this environment.`);
}
