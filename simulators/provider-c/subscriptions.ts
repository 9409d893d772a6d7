import type { z } from 'zod';
import type { Account } from './account';
import { answer, Refusal, type Reply } from './answers';
import type { subscriptionParameters, tokenParameters } from './parameters';
import { findPlan } from './plans';
import type { Customer, Subscription } from './records';
import { isRenewing, startSubscription } from './subscription-cycle';
import { chargeAuthorization } from './transactions';
import { subscriptionAnswer } from './subscription-view';
import { iso } from './views';
import { sendNotRenewing } from './webhooks';

/** Starts a subscription on a saved card: charged at once, or first at `start_date`. */
export function createSubscription(account: Account, input: z.output<typeof subscriptionParameters>): Reply {
  const plan = findPlan(account, input.plan);
  const customer = findCustomer(account, input.customer);
  const authorization =
    input.authorization === undefined
      ? customer.authorizations.at(-1)
      : customer.authorizations.find(({ code }) => code === input.authorization);
  if (authorization === undefined) {
    throw new Refusal(404, 'no_authorizations', 'The customer specified has no saved authorizations');
  }
  for (const open of account.subscriptions.values()) {
    if (open.customer === customer && open.plan === plan && isRenewing(open)) {
      throw new Refusal(400, 'duplicate_subscription', 'This subscription is already in place.');
    }
  }
  const firstChargeAt = input.start_date === undefined ? undefined : Date.parse(input.start_date);
  if (firstChargeAt !== undefined && firstChargeAt <= account.now) {
    throw new Refusal(400, 'invalid_params', '"start_date" is invalid: it lies in the past');
  }
  const isCharged =
    firstChargeAt !== undefined ||
    chargeAuthorization(account, { email: customer.email, plan, authorization }) !== null;
  if (!isCharged) throw new Refusal(400, 'charge_failed', 'The authorization was declined');
  const subscription = startSubscription(account, {
    plan,
    customer,
    authorization,
    invoiceLimit: plan.invoiceLimit ?? 0,
    ...(firstChargeAt === undefined ? {} : { firstChargeAt }),
  });
  return answer('Subscription successfully created', {
    customer: customer.id,
    plan: plan.id,
    integration: account.integration,
    domain: account.domain,
    start: Math.floor(subscription.createdAt / 1000),
    status: subscription.status,
    quantity: 1,
    amount: plan.amount,
    authorization: authorization.code,
    subscription_code: subscription.code,
    email_token: subscription.emailToken,
    next_payment_date: iso(subscription.boundary),
    id: subscription.id,
    createdAt: iso(subscription.createdAt),
    updatedAt: iso(subscription.createdAt),
  });
}

/** Finds a customer by code or e-mail address. */
function findCustomer(account: Account, name: string): Customer {
  for (const customer of account.customers.values()) {
    if (customer.code === name || customer.email === name) return customer;
  }
  throw new Refusal(404, 'customer_not_found', 'Customer not found');
}

/** Finds a subscription by its code or its number. */
export function findSubscription(account: Account, name: string): Subscription {
  for (const subscription of account.subscriptions.values()) {
    if (subscription.code === name || String(subscription.id) === name) return subscription;
  }
  throw new Refusal(404, 'subscription_not_found', 'Subscription with ID/code not found');
}

export function getSubscription(account: Account, name: string): Reply {
  return answer(
    'Subscription retrieved successfully',
    subscriptionAnswer(account, findSubscription(account, name)),
  );
}

/** Stops the renewal. The subscription ends at the next payment date. */
export function disable(account: Account, input: z.output<typeof tokenParameters>): Reply {
  const subscription = withToken(account, input, 'inactive');
  if (!isRenewing(subscription)) throw notFoundOr(input.code, 'inactive');
  subscription.status = 'non-renewing';
  subscription.cancelledAt = account.now;
  sendNotRenewing(account, subscription);
  return answer('Subscription disabled successfully');
}

/** Resumes the renewal before the period's end. No webhook reports it. */
export function enable(account: Account, input: z.output<typeof tokenParameters>): Reply {
  const subscription = withToken(account, input, 'active');
  if (subscription.status !== 'non-renewing') throw notFoundOr(input.code, 'active');
  if (!account.resumes) {
    throw new Refusal(400, 'invalid_params', 'Subscription has been cancelled, and cannot be reactivated');
  }
  subscription.status = 'active';
  delete subscription.cancelledAt;
  return answer('Subscription enabled successfully');
}

/** Finds a subscription by code and e-mail token. A wrong token is answered like a wrong code. */
function withToken(
  account: Account,
  { code, token }: z.output<typeof tokenParameters>,
  already: 'active' | 'inactive',
): Subscription {
  const subscription = account.subscriptions.get(code);
  if (subscription?.emailToken !== token) throw notFoundOr(code, already);
  return subscription;
}

function notFoundOr(code: string, already: 'active' | 'inactive'): Refusal {
  return new Refusal(404, 'not_found', `Subscription with code: ${code} not found or already ${already}`);
}
