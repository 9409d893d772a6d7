import type { Instant } from '../domain/instant';
import { nextWake, type LifecycleStep, type LifecycleView } from '../domain/lifecycle';
import { displayScheduledChange, type ScheduledChangeView } from '../domain/display-scheduled-change';
import { toTime } from '../schemas/instant';

const WAITS: Record<LifecycleStep, (time: string) => string> = {
  end_trial: (time) => `The trial ends at ${time}`,
  turn_period: (time) => `The billing period ends at ${time}`,
  become_past_due: (time) => `The open payment becomes past due at ${time} if it is not paid`,
  expire: (time) => `The past-due subscription expires at ${time} if nothing is paid`,
  expire_checkout: (time) => `The checkout expires at ${time} if it is not paid`,
  read_back: (time) => `The billing period ends at ${time}, and the payment provider tells what follows`,
  prepare_change: (time) => `The payment provider is told of the scheduled change at ${time}`,
  check_approval: (time) =>
    `The customer has still to approve a change; the payment provider is asked at ${time}`,
  read_past_due: (time) =>
    `The open payment is past due; the payment provider is asked for it again at ${time}`,
  settle_call: (time) =>
    `The payment provider has not said what became of a request; it is asked again at ${time}`,
};

const DUE: Record<LifecycleStep, (time: string) => string> = {
  end_trial: (time) => `The trial ended at ${time}; its first paid period is about to begin.`,
  turn_period: (time) => `The billing period ended at ${time}; its renewal is due.`,
  become_past_due: (time) => `The open payment was due at ${time}; the subscription is about to be past due.`,
  expire: (time) => `Nothing was paid until ${time}; the subscription is about to expire.`,
  expire_checkout: (time) => `The checkout was not paid until ${time}; it is about to expire.`,
  read_back: (time) => `The billing period ended at ${time}; the payment provider is about to be read.`,
  prepare_change: () => 'The payment provider is about to be told of the scheduled change.',
  check_approval: () => 'The payment provider is about to be asked whether the customer has approved.',
  read_past_due: () => 'The payment provider is about to be asked whether the open payment was made.',
  settle_call: () => 'The payment provider is about to be asked what became of a request.',
};

/** What the subscription waits for, in a sentence for people; null when no time will change it. */
export function waitingFor(subscription: LifecycleView & ScheduledChangeView, now: Instant): string | null {
  const wake = nextWake(subscription, now);
  if (wake.kind === 'wait' && wake.step === 'read_back' && wake.at < subscription.currentPeriodEnd)
    return `The subscription ends at ${toTime(wake.at)}, before its billing period does.`;
  switch (wake.kind) {
    case 'due':
      return DUE[wake.step](toTime(wake.boundary));
    case 'wait':
      return `${WAITS[wake.step](toTime(wake.at))}${followedBy(subscription, wake.step)}.`;
    case 'finished':
      return null;
  }
}

/** The scheduled change, with its time where another step comes first. */
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
