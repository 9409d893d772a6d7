import { newCode, type Account } from './account';
import type { Authorization, Transaction } from './records';
import { startSubscription } from './subscription-cycle';
import { succeed } from './transactions';

export function findByAccessCode(account: Account, accessCode: string): Transaction | undefined {
  for (const transaction of account.transactions.values()) {
    if (transaction.accessCode === accessCode) return transaction;
  }
  return undefined;
}

/** True while the customer can still pay: nothing was paid, a declined card may be followed by another. */
export function isOpen({ status }: Transaction): boolean {
  return status === 'abandoned' || status === 'failed';
}

/** @param laterCharges whether the card will take the subscription's renewals */
export function pay(account: Account, transaction: Transaction, laterCharges: 'succeed' | 'decline'): void {
  const { customer, plan, invoiceLimit } = transaction;
  const authorization: Authorization = {
    code: newCode('AUTH'),
    last4: '4081',
    declines: laterCharges === 'decline',
  };
  customer.authorizations.push(authorization);
  if (plan !== null) startSubscription(account, { plan, customer, authorization, invoiceLimit });
  succeed(account, transaction, authorization);
}

export function decline(transaction: Transaction): void {
  transaction.status = 'failed';
  transaction.gatewayResponse = 'Declined';
}

/** Where the customer is sent back to, with the reference named twice as the provider does. */
export function returnUrl({ callbackUrl, reference }: Transaction): string | null {
  if (callbackUrl === null) return null;
  const url = new URL(callbackUrl);
  url.searchParams.set('trxref', reference);
  url.searchParams.set('reference', reference);
  return url.toString();
}
