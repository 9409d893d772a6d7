import { countInWords } from '../../src/domain/count-in-words.ts';
import { grantedInWords } from '../../src/domain/granted-in-words.ts';
import { formatDay, formatMoney, formatNumber, formatTime, isZero, type Money } from './format';
import type { PortalPreview, PortalSubscription, PortalView } from './types';

/** All texts of the page. */

type Status = PortalSubscription['status'];
type Transaction = PortalView['transactions'][number];
type Payment = PortalView['payments'][number];

/** Isolates a name within a sentence, so that a direction mark in it has no effect after it. */
const isolated = (name: string): string => `\u2068${name}\u2069`;

const per = (interval: 'month' | 'year'): string => (interval === 'month' ? 'per month' : 'per year');
const seatsInWords = (seats: number): string => countInWords(seats, 'seat', formatNumber(seats));

export const opening = {
  title: 'Open your subscription page',
  about: 'Your link works once. It opens the page in this browser only.',
  button: 'Open the page',
  busy: 'Opening…',
  /** The link may have been opened, and the answer lost. */
  failed:
    'The page did not open. Try again. If the link then no longer works, open the page from the application again.',
};

export const closed = {
  used: {
    title: 'This link no longer works',
    about: 'It was opened before, has expired, or was withdrawn. Links work once and for 30 minutes.',
  },
  ended: {
    title: 'Your page is closed',
    about: 'You left it, it was not used for a while, its time was over, or it was withdrawn.',
  },
  left: { title: 'You have left the page', about: 'You can close this window.' },
  failed: {
    title: 'The page could not be loaded',
    about: 'Wait a moment, and try again. If it happens again, check your connection.',
  },
  again: 'Open your subscription page from the application again.',
  retry: 'Try again',
};

export const page = {
  title: (name: string): string => (name === '' ? 'Your subscription' : `Your subscription – ${name}`),
  heading: 'Your subscription',
  greeting: (name: string): string => `For ${isolated(name)}`,
  back: (name: string): string => `Back to ${isolated(name)}`,
  leave: 'Leave this page',
  notLeft: 'The page is still open: the service could not be reached. Leave it again.',
  loading: 'Loading…',
  busy: 'This is being sent…',
  stale: 'This page cannot be brought up to date at the moment. What you see may have changed.',
  none: { title: 'No subscription', about: 'There is nothing here yet.' },
  close: 'Close',
};

const STATUSES: Record<Status, string> = {
  incomplete: 'Not paid yet',
  trialing: 'Free trial',
  active: 'Active',
  past_due: 'Payment overdue',
  cancelled: 'Cancelled',
  expired: 'Expired',
};

export function statusInWords({ status, paidUntil }: PortalSubscription): string {
  return paidUntil === null ? STATUSES[status] : 'Payments suspended';
}

export function priceInWords(subscription: PortalSubscription): string {
  const { price, total, pricing, seats, interval } = subscription;
  const tax = taxInWords(subscription);
  if (pricing === 'flat' || seats === 1) {
    const seat = pricing === 'flat' ? '' : ' for 1 seat';
    return `${formatMoney(total)} ${per(interval)}${seat}${tax}`;
  }
  return `${formatMoney(total)} ${per(interval)} for ${seatsInWords(seats)} at ${formatMoney(price)} each${tax}`;
}

/** @param of the subscription, which decides whether tax is added */
export function planPrice(
  plan: { price: Money; interval: 'month' | 'year'; pricing: 'flat' | 'per_seat' },
  of: Pick<PortalSubscription, 'taxAdded'>,
): string {
  const seat = plan.pricing === 'flat' ? '' : 'a seat ';
  return `${formatMoney(plan.price)} ${seat}${per(plan.interval)}${taxInWords(of)}`;
}

function taxInWords({ taxAdded }: Pick<PortalSubscription, 'taxAdded'>): string {
  return taxAdded ? ', plus tax' : '';
}

/** Describes what the subscription waits for. */
export function waitingInWords(subscription: PortalSubscription): string | null {
  const { waitsFor, waitsUntil: until, endedAt, scheduledChange, pendingApproval } = subscription;
  // An overdue payment ends access also while something else is waited for.
  const overdue = subscription.status === 'past_due' ? ` ${overdueInWords(subscription)}` : '';
  switch (waitsFor) {
    case null:
      // One that was not paid in time has never begun.
      return endedAt === null
        ? null
        : `It ${subscription.status === 'expired' ? 'expired' : 'ended'} on ${formatDay(endedAt)}.`;
    case 'checkout':
      return until === null
        ? 'It begins with your first payment.'
        : `It begins with your first payment, which is possible until ${formatTime(until)}.`;
    case 'provider':
      return `The payment provider has not confirmed the last request yet. ${overdue === '' ? 'You need not do anything.' : `You need not repeat it.${overdue}`}`;
    case 'approval': {
      if (pendingApproval === null) return `A change waits for your approval.${overdue}`;
      const to = terms(pendingApproval, subscription);
      return `The change to ${to} waits for your approval until ${formatTime(pendingApproval.expiresAt)}.${overdue}`;
    }
    case 'payment': {
      const end =
        until === null ? '' : ` If it is not paid, your subscription expires on ${formatDay(until)}.`;
      // An earlier version of the service omits the end.
      const ends = subscription.endsAt ? ` ${endInWords(subscription.endsAt, subscription)}` : '';
      return `${overdueInWords(subscription)}${end}${ends}`;
    }
    case 'end':
      return until === null ? 'It ends and does not renew.' : endInWords(until, subscription);
    case 'change':
      return scheduledChange === null
        ? null
        : `It changes to ${terms(scheduledChange, subscription)} on ${formatDay(scheduledChange.at)}.`;
    case 'trial_end':
      return until === null
        ? 'Your free trial runs.'
        : `Your free trial ends on ${formatDay(until)}. After it, your first payment is due.`;
    case 'renewal':
      return until === null ? null : `It renews on ${formatDay(until)}.`;
  }
}

/** Describes what an overdue payment means for the customer's access. */
function overdueInWords({ accessDenied, accessUntil, paidUntil }: PortalSubscription): string {
  const access = accessDenied
    ? 'You have no access until it is paid.'
    : accessUntil === null
      ? 'Pay it to keep your access.'
      : `You have access until ${formatTime(accessUntil)}, and after that only if it is paid.`;
  const why =
    paidUntil === null ? 'A payment is overdue.' : 'Payments are suspended at the payment provider.';
  return `${why} ${access}`;
}

/** Names the seats too, unless there is only one, now and later. */
function terms({ plan, seats }: { plan: string; seats: number }, now: PortalSubscription): string {
  return seats === 1 && now.seats === 1 ? isolated(plan) : `${isolated(plan)} with ${seatsInWords(seats)}`;
}

function endInWords(end: string, { currentPeriodEnd }: PortalSubscription): string {
  return Date.parse(end) > Date.parse(currentPeriodEnd)
    ? `It renews on ${formatDay(currentPeriodEnd)}, and ends on ${formatDay(end)}.`
    : `It ends on ${formatDay(end)} and does not renew.`;
}

export const pay = {
  due: (time: string): string => `A payment is open. It is due on ${formatDay(time)}.`,
  button: 'Pay now',
  approve: 'Approve the change',
  opens: 'Opens the payment provider’s page in a new window. This page shows the result automatically.',
  byProvider:
    'The payment provider tries to collect it again, and may have written to you. Once it is paid, this page shows it.',
  /** @param renewal when the provider charges again; null if it does not renew */
  notCollected: (renewal: string | null, name: string): string =>
    renewal === null
      ? `The payment provider does not try to collect it again. Ask ${isolated(name)} how to pay it.`
      : `The payment provider does not try to collect it again before the next renewal, on ${formatDay(renewal)}. Ask ${isolated(name)} how to pay it earlier.`,
  byAgreement: (name: string): string => `Pay it in the way you have agreed with ${isolated(name)}.`,
  paid: 'I have paid: check now',
  checking: 'Asking the payment provider. This page shows the result automatically.',
  openTitle: 'To pay',
  until: (time: string): string => `Until ${formatTime(time)}`,
};

export const actions = {
  plan: 'Change plan',
  seats: 'Change seats',
  cancel: 'Cancel subscription',
  reactivate: 'Reactivate subscription',
  withdrawChange: 'Keep the current plan and seats',
  withdrawRequest: 'Withdraw the change',
  noPlans: 'There is no other plan to change to.',
  notNow: 'This cannot be done at the moment.',
};

export const change = {
  titles: { plan: 'Change plan', seats: 'Change seats' },
  current: (name: string, price: string): string => `Now: ${isolated(name)}, ${price}`,
  choose: 'New plan',
  seats: 'Number of seats',
  seatsNow: (seats: number): string => `You have ${seatsInWords(seats)} now.`,
  invalidSeats: 'Enter a whole number from 1 to 1,000,000.',
  looking: 'Calculating what this would do…',
  notNow: 'This cannot be calculated at the moment. It is retried automatically.',
  pick: 'Choose a plan to see what it would do.',
  pickSeats: 'Enter another number to see what it would do.',
  result: 'What happens',
  credit: 'Credit for the rest of the period',
  charge: 'New price for the rest of the period',
  tax: { added: 'Tax', contained: 'Tax, included in the amounts' },
  dueNow: 'To pay now',
  estimated: 'The payment provider calculates the final amount; it may differ slightly.',
  replaces: 'The change that was planned before no longer happens.',
  features: 'What you get',
  entities: 'Users, projects or the like',
  fewerEntities: 'If you have more, all of them stay, but you cannot add another one.',
  keep: 'Leave it as it is',
};

export function effectInWords({ effective, effectiveAt, requiresApproval }: PortalPreview): string {
  if (requiresApproval || effective === 'after_confirmation')
    return 'You approve the change at the payment provider. It then takes effect with the next renewal.';
  if (effective === 'immediate') return 'The change takes effect at once.';
  return `The change takes effect on ${formatDay(effectiveAt)}. Until then everything stays as it is.`;
}

export function confirmChange({ effective, effectiveAt, requiresApproval, dueNow }: PortalPreview): string {
  if (requiresApproval || effective === 'after_confirmation') return 'Ask for the change';
  if (effective !== 'immediate') return `Change on ${formatDay(effectiveAt)}`;
  return isZero(dueNow) || dueNow.amount.startsWith('-')
    ? 'Change now'
    : `Change now for ${formatMoney(dueNow)}`;
}

export function entitiesInWords(limit: number | null): string {
  return limit === null ? 'any number' : `at most ${formatNumber(limit)}`;
}

export function featureInWords(granted: PortalPreview['features'][number]['from']): string {
  return grantedInWords(granted, { inFull: formatNumber, perEntity: 'each' });
}

export const cancel = {
  title: 'Cancel your subscription?',
  immediate: 'It ends immediately, and so does your access.',
  notRefunded: 'This does not refund what you have paid for the period.',
  final: 'A cancellation is final. To continue later, you need a new subscription.',
  atPeriodEnd: (time: string): string =>
    `It ends on ${formatDay(time)}. Until then you can use it as before, and withdraw the cancellation.`,
  whilePastDue: (time: string): string =>
    `It ends on ${formatDay(time)}. Until then you can withdraw the cancellation.`,
  confirm: { immediate: 'Cancel now', atPeriodEnd: (time: string): string => `Cancel on ${formatDay(time)}` },
  keep: 'Keep it',
};

export const reactivate = {
  title: 'Reactivate your subscription?',
  about: (time: string): string =>
    `The cancellation is withdrawn immediately. Your subscription continues and renews on ${formatDay(time)}.`,
  confirm: 'Reactivate',
  keep: 'Leave it cancelled',
};

export const withdraw = {
  title: 'Keep the current plan and seats?',
  about: 'The change that was planned does not happen. You can ask for it again.',
  confirm: 'Keep the current plan and seats',
  keep: 'Leave the change planned',
};

export const done = {
  change: 'Your change is made.',
  planned: (time: string): string => `Your change is planned for ${formatDay(time)}.`,
  asked: 'Your change has been requested. Approve it at the payment provider.',
  cancel: 'Your subscription is cancelled.',
  reactivate: 'Your subscription continues.',
  withdraw: 'The planned change is withdrawn.',
  underWay: 'This takes a little longer. The page shows the result automatically.',
  later: 'A request that took longer has been carried out.',
  refused: 'A request that took longer was not carried out.',
};

export const usage = {
  title: 'Usage',
  of: (used: number, quota: number): string => `${formatNumber(used)} of ${formatNumber(quota)}`,
  unlimited: (used: number): string => `${formatNumber(used)} used, unlimited`,
  limitedForEach: (used: number): string =>
    `${formatNumber(used)} used, with a limit for each user or the like`,
  left: (remaining: number): string => `${formatNumber(remaining)} left`,
  resets: (time: string): string => `Starts again on ${formatDay(time)}`,
  credits: 'Credits',
  none: 'Your plan counts no usage.',
  nothing: 'There is no usage to show without an active subscription.',
  paused: 'It is shown again once what is overdue is paid.',
};

const KINDS: Record<Transaction['kind'], string> = {
  initial: 'First period',
  renewal: 'Renewal',
  proration: 'Change of plan or seats',
};
const TRANSACTION_STATUSES: Record<Transaction['status'], string> = {
  pending: 'Open',
  partially_paid: 'Partly paid',
  paid: 'Paid',
  void: 'No longer owed',
};
const PAYMENT_STATUSES: Record<Payment['status'], string> = {
  pending: 'Under way',
  succeeded: 'Received',
  failed: 'Failed',
};

export const history = {
  transactions: 'Charges',
  payments: 'Payments',
  noTransactions: 'There are none yet.',
  noPayments: 'There are none yet.',
  kind: (kind: Transaction['kind']): string => KINDS[kind],
  status: (status: Transaction['status']): string => TRANSACTION_STATUSES[status],
  paymentStatus: (status: Payment['status']): string => PAYMENT_STATUSES[status],
  open: (money: Money): string => `${formatMoney(money)} open`,
  refunded: (money: Money): string => `${formatMoney(money)} paid back`,
  beingRefunded: (money: Money): string => `${formatMoney(money)} being paid back`,
  tax: { added: 'Tax', contained: 'Tax, included in the amount' },
  latest: 'The latest 25 are shown.',
};

/** The command may have been carried out, and its answer lost. */
const UNKNOWN_OUTCOME = 'Something went wrong on our side. Try again in a minute: it will be done only once.';

const REFUSALS: Record<string, string> = {
  unreachable: 'There is no connection. Nothing is lost: try again.',
  no_answer: 'No response arrived. It may have been done anyway: try again, and it will be done only once.',
  portal_session_required: 'Your page is closed. Open it from the application again.',
  portal_action_not_offered: 'This is not offered here.',
  subscription_not_found: 'This subscription is no longer there.',
  change_without_effect: 'That is what you already have.',
  change_differs: 'This would now do something other than what was shown. Check it again.',
  plan_archived: 'This plan is no longer offered.',
  no_scheduled_change: 'There is no longer a planned change.',
  rate_limited: 'That was too often. Wait a minute, and try again.',
  service_busy: 'Your subscription is being updated at the moment. Try again in a minute.',
  temporal_unavailable: 'Changes are not possible at the moment. Try again in a few minutes.',
  internal_error: UNKNOWN_OUTCOME,
  idempotency_key_in_use: 'This is in progress. Wait a moment.',
};

/**
 * Describes a refusal, using the service's own sentence if it has one for customers. If something else answers in place
 * of the service, with a 502 for example, it is unknown whether the command was carried out.
 *
 * @param refusal with the status of its answer, if it is one
 */
export function refusalInWords(refusal: { status?: number; code: string; reason: string | null }): string {
  const { status = 0, code, reason } = refusal;
  const known = reason ?? REFUSALS[code];
  if (known !== undefined) return known;
  return status >= 500 ? UNKNOWN_OUTCOME : 'That did not work. Nothing was changed; try again in a minute.';
}
