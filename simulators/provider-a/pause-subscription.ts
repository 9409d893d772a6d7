import type { Account } from './account';
import { prorated } from './change-items';
import { emit } from './events';
import { refused } from './problem';
import { pause } from './renewal';
import type { Subscription } from './billing-records';
import type { PauseParameters } from './subscription-parameters';

/**
 * Handles `POST /v1/subscriptions/{id}/pause`: the period ends now, and unless the caller wants otherwise its unused time
 * is credited with the next invoice (https://docs.stripe.com/billing/subscriptions/pause).
 *
 * @throws Problem when it is not active, or is managed by a schedule
 */
export function pauseSubscription(account: Account, id: string, wanted: PauseParameters): Subscription {
  const subscription = account.get('subscription', id);
  if (subscription.status !== 'active')
    throw refused('You can only pause subscriptions with status `active`.');
  if (subscription.schedule) throw refused('You cannot pause a subscription that is managed by a schedule.');
  const { data } = subscription.items;
  const from = wanted.bill_for?.unused_time_from?.type ?? 'now';
  if (from !== 'none') {
    const { currency } = subscription;
    const since = (start: number): number => (from === 'now' ? account.now : start);
    const credit = data.map((item) => prorated(item, currency, since(item.current_period_start), -1));
    account.pendingLines.set(id, [...(account.pendingLines.get(id) ?? []), ...credit]);
    for (const item of data) item.current_period_end = account.now;
  }
  pause(account, subscription, 'pause_requested');
  emit(account, 'customer.subscription.updated', subscription, { status: 'active' });
  return subscription;
}
