import { z } from 'zod';
import { namedCall } from '../core/named-call';
import { newCode, type Account } from './account';
import type { Authorization, Transaction } from './records';
import { startSubscription, type NewSubscription } from './subscription-cycle';
import { succeed } from './transactions';

const cancelAction = z.preprocess(
  (metadata) => (typeof metadata === 'string' ? parsed(metadata) : metadata),
  z.looseObject({ cancel_action: z.url() }),
);

const startLater = namedCall('c.start_subscription', (account: Account, start: NewSubscription) => {
  startSubscription(account, start);
});

export function findByAccessCode(account: Account, accessCode: string): Transaction | undefined {
  for (const transaction of account.transactions.values()) {
    if (transaction.accessCode === accessCode) return transaction;
  }
  return undefined;
}

/** Returns whether the customer can still pay: nothing was paid, and another card may follow a declined one. */
export function isOpen({ status }: Transaction): boolean {
  return status === 'abandoned' || status === 'failed';
}

/** @param laterCharges whether the card will accept the subscription's renewals */
export function pay(account: Account, transaction: Transaction, laterCharges: 'succeed' | 'decline'): void {
  const { customer, plan, invoiceLimit } = transaction;
  const authorization: Authorization = {
    code: newCode('AUTH'),
    last4: '4081',
    declines: laterCharges === 'decline',
  };
  customer.authorizations.push(authorization);
  if (plan !== null) subscribe(account, { plan, customer, authorization, invoiceLimit });
  succeed(account, transaction, authorization);
}

/** Creates the subscription with the payment or some time after it: the original reports the two in either order. */
function subscribe(account: Account, start: NewSubscription): void {
  const { subscriptionDelayMs: delay, now } = account;
  if (delay === 0) startSubscription(account, start);
  else {
    account.core.clock.at(now + delay, startLater(account, start));
  }
}

/** Has the customer pay through a bank that answers later (`answerBanks`). */
export function payByBank(transaction: Transaction): void {
  transaction.status = 'pending';
  transaction.gatewayResponse = 'Pending';
}

/** Has the banks answer the payments of pages; a pending renewal has a saved card instead. */
export function answerBanks(account: Account, isPaid: boolean): void {
  for (const transaction of account.transactions.values()) {
    if (transaction.status !== 'pending' || transaction.authorization !== null) continue;
    if (isPaid) pay(account, transaction, 'succeed');
    else decline(transaction);
  }
}

export function decline(transaction: Transaction): void {
  transaction.status = 'failed';
  transaction.gatewayResponse = 'Declined';
}

/** Returns the page for a customer who does not pay, if the payment's metadata names one. */
export function cancelUrl({ metadata }: Transaction): string | null {
  const url = cancelAction.safeParse(metadata).data?.cancel_action;
  return url ?? null;
}

/** Returns the page for a customer who paid, with the reference in two parameters like the provider. */
export function returnUrl({ callbackUrl, reference }: Transaction): string | null {
  if (callbackUrl === null) return null;
  const url = new URL(callbackUrl);
  url.searchParams.set('trxref', reference);
  url.searchParams.set('reference', reference);
  return url.toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
