import { z } from 'zod';
import { newId, type Account } from './account';
import { emit } from './events';
import { expand, flag, text } from './parameters';
import { refused } from './problem';
import { periodEnd, scheduleBoundary } from './renewal';
import type { Subscription } from './billing-records';
import type { SubscriptionSchedule } from './stored-records';

export const createScheduleParameters = z.strictObject({ expand, from_subscription: text });
export const updateScheduleParameters = z.strictObject({
  end_behavior: z.enum(['cancel', 'release']),
  expand,
});
export const releaseParameters = z.strictObject({ expand, preserve_cancel_date: flag.optional() });

/** Handles `POST /v1/subscription_schedules`: a schedule manages the subscription from now on. Its phases are not kept. */
export function createSchedule(
  account: Account,
  { from_subscription: id }: z.output<typeof createScheduleParameters>,
): SubscriptionSchedule {
  const subscription = account.get('subscription', id, 'from_subscription');
  if (subscription.schedule) throw refused('The subscription already has a schedule.');
  const schedule: SubscriptionSchedule = account.add({
    id: newId('sub_sched'),
    object: 'subscription_schedule',
    created: account.now,
    customer: subscription.customer,
    end_behavior: 'release',
    livemode: account.livemode,
    released_subscription: null,
    status: 'active',
    subscription: id,
  });
  subscription.schedule = schedule.id;
  emit(account, 'customer.subscription.updated', subscription, { schedule: null });
  return schedule;
}

/** Handles `POST /v1/subscription_schedules/{id}`: whether the subscription ends with the schedule's last phase. */
export function updateSchedule(
  account: Account,
  id: string,
  { end_behavior: behavior }: z.output<typeof updateScheduleParameters>,
): SubscriptionSchedule {
  const [schedule, subscription] = managed(account, id);
  schedule.end_behavior = behavior;
  setEnd(account, subscription, behavior === 'cancel' ? periodEnd(subscription) : null);
  return schedule;
}

/** Handles `POST /v1/subscription_schedules/{id}/release`: the subscription continues without it. */
export function releaseSchedule(
  account: Account,
  id: string,
  { preserve_cancel_date: keepsEnd = false }: z.output<typeof releaseParameters>,
): SubscriptionSchedule {
  const [schedule, subscription] = managed(account, id);
  Object.assign(schedule, { released_subscription: subscription.id, status: 'released', subscription: null });
  subscription.schedule = null;
  if (schedule.end_behavior === 'cancel' && !keepsEnd) setEnd(account, subscription, null);
  else emit(account, 'customer.subscription.updated', subscription, { schedule: id });
  return schedule;
}

/** @throws Problem for a schedule that has been released */
function managed(account: Account, id: string): [SubscriptionSchedule, Subscription] {
  const schedule = account.get('subscription_schedule', id);
  if (schedule.subscription === null)
    throw refused('You cannot update a subscription schedule that is currently in the `released` status.');
  return [schedule, account.get('subscription', schedule.subscription)];
}

function setEnd(account: Account, subscription: Subscription, at: number | null): void {
  const { cancel_at: before } = subscription;
  Object.assign(subscription, { cancel_at: at, canceled_at: at === null ? null : account.now });
  scheduleBoundary(account, subscription);
  emit(account, 'customer.subscription.updated', subscription, { cancel_at: before });
}
