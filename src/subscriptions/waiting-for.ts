import type { Instant } from '../domain/instant';
import { nextWake, type LifecycleStep, type LifecycleView } from '../domain/lifecycle';
import { isEarlyRead } from '../domain/provider-lifecycle';
import { displayScheduledChange, type ScheduledChangeView } from '../domain/display-scheduled-change';
import { endsWithPeriod, periodOverAt } from '../domain/pending-cancellation';
import { toTime } from '../schemas/instant';

const WAITS: Record<LifecycleStep, (time: string) => string> = {
  end_trial: (time) => `The trial ends at ${time}`,
  turn_period: (time) => `The billing period ends at ${time}`,
  become_past_due: (time) => `The open payment becomes past due at ${time} if it is not paid`,
  expire: (time) => `The past-due subscription expires at ${time} if nothing is paid`,
  expire_checkout: (time) => `The checkout expires at ${time} if it is not paid`,
  read_back: (time) =>
    `The billing period ends at ${time}, when the subscription is checked at the payment provider`,
  prepare_change: (time) => `The scheduled change is sent to the payment provider at ${time}`,
  check_approval: (time) => `A change is waiting for the customer’s approval; the next check is at ${time}`,
  read_past_due: (time) =>
    `The open payment is past due; the next check at the payment provider is at ${time}`,
  settle_call: (time) => `The payment provider has not confirmed a request; the next try is at ${time}`,
};

const DUE: Record<LifecycleStep, (time: string) => string> = {
  end_trial: (time) => `The trial ended at ${time}; the first paid period is about to begin.`,
  turn_period: (time) => `The billing period ended at ${time}; its renewal is due.`,
  become_past_due: (time) =>
    `The open payment was due at ${time}; the subscription is about to become past due.`,
  expire: (time) => `No payment arrived by ${time}; the subscription is about to expire.`,
  expire_checkout: (time) => `The checkout was not paid by ${time}; it is about to expire.`,
  read_back: (time) =>
    `The billing period ended at ${time}; the renewal is about to be checked at the payment provider.`,
  prepare_change: () => 'The scheduled change is about to be sent to the payment provider.',
  check_approval: () => 'The customer’s approval is about to be checked at the payment provider.',
  read_past_due: () => 'The open payment is about to be checked at the payment provider.',
  settle_call: () => 'A request to the payment provider is about to be retried.',
};

/** Describes what the subscription waits for, in a sentence for people; null if no time step will change it. */
export function waitingFor(subscription: LifecycleView & ScheduledChangeView, now: Instant): string | null {
  const wake = nextWake(subscription, now);
  if (wake.kind !== 'finished' && isEarlyRead(subscription, wake.step)) {
    return wake.kind === 'due'
      ? 'The subscription is about to be checked at the payment provider.'
      : `The subscription is checked at the payment provider at ${toTime(wake.at)}.`;
  }
  const over = periodOverAt(subscription);
  if (wake.kind === 'wait' && wake.step === 'read_back' && over <= now) {
    const check = `the next check at the payment provider is at ${toTime(wake.at)}`;
    return `The billing period ended at ${toTime(over)}; ${check}${followedBy(subscription, wake.step)}.`;
  }
  if (wake.kind === 'wait' && wake.step === 'read_back' && wake.at < subscription.currentPeriodEnd)
    return `The subscription ends at ${toTime(wake.at)}, before its billing period ends.`;
  if (wake.kind === 'wait' && wake.step === 'read_back' && endsWithPeriod(subscription))
    return `The subscription ends at ${toTime(wake.at)}, with its billing period.`;
  switch (wake.kind) {
    case 'due':
      return DUE[wake.step](toTime(wake.boundary));
    case 'wait':
      return `${WAITS[wake.step](toTime(wake.at))}${followedBy(subscription, wake.step)}.`;
    case 'finished':
      return null;
  }
}

/** Returns the scheduled change in words, with its time if another step comes first. */
function followedBy(subscription: LifecycleView & ScheduledChangeView, step: LifecycleStep): string {
  const change = displayScheduledChange(subscription);
  if (change === null) return '';
  const end = toTime(subscription.currentPeriodEnd);
  switch (step) {
    case 'turn_period':
    case 'read_back':
      return `; then ${change}`;
    case 'expire':
      return `; if it is, at ${end} ${change}`;
    default:
      return `; at ${end} ${change}`;
  }
}
