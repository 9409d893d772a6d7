import { newId, type Account } from './account';
import { toCharged } from './amounts';
import { invalid } from './problem';
import type { Subscription } from './billing-records';
import type { UpdateParameters } from './subscription-parameters';

/** Sets a subscription's trial, discounts, and how it is collected, from an update. @throws Problem */
export function setBilling(account: Account, subscription: Subscription, wanted: UpdateParameters): void {
  const { pause_collection: pause, discounts, trial_end: trialEnd, trial_settings: settings } = wanted;
  if (wanted.collection_method !== undefined || wanted.days_until_due !== undefined)
    setCollection(subscription, wanted);
  subscription.trial_settings = settings ?? subscription.trial_settings;
  if (pause !== undefined) {
    subscription.pause_collection =
      pause === '' ? null : { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null };
  }
  if (discounts !== undefined) {
    const coupons = discounts === '' ? [] : discounts;
    subscription.discounts = coupons.map(({ coupon }) => discountOf(account, coupon));
  }
  if (trialEnd !== undefined) setTrial(account, subscription, trialEnd === 'now' ? account.now : trialEnd);
}

function setCollection(
  subscription: Subscription,
  { collection_method: method, days_until_due: days }: UpdateParameters,
): void {
  const next = method ?? subscription.collection_method;
  if (next === 'send_invoice' && (days ?? subscription.days_until_due ?? null) === null) {
    throw invalid("You must pass `days_until_due` when `collection_method` is set to 'send_invoice'.", {
      param: 'days_until_due',
    });
  }
  subscription.collection_method = next;
  subscription.days_until_due =
    next === 'send_invoice' ? (days ?? subscription.days_until_due ?? null) : null;
}

/** Returns how much the discounts of a subscription reduce a total. */
export function takenOff(
  account: Account,
  { discounts = [], currency }: Subscription,
  total: number,
): number {
  let left = total;
  for (const id of discounts) {
    const { percent_off: percent, amount_off: amount } = account.get('discount', id).coupon;
    left -= percent === null ? (amount ?? 0) : toCharged((left * percent) / 100, currency);
  }
  return total - Math.max(0, left);
}

function discountOf(account: Account, id: string): string {
  const coupon = account.get('coupon', id, 'discounts[0][coupon]');
  return account.add({ id: newId('di'), object: 'discount', coupon, start: account.now, end: null }).id;
}

/** Sets the end of a trial, which ends its period and starts a new cycle. */
function setTrial(account: Account, subscription: Subscription, end: number): void {
  if (end < account.now) {
    throw invalid('Invalid timestamp: trial_end must be in the future.', { param: 'trial_end' });
  }
  subscription.trial_end = end;
  if (end === account.now) return;
  subscription.trial_start ??= account.now;
  subscription.status = 'trialing';
  subscription.billing_cycle_anchor = end;
  for (const item of subscription.items.data) item.current_period_end = end;
}
