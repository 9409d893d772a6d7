import type { Instant } from '../domain/instant';
import { nextWake, type LifecycleView } from '../domain/lifecycle';
import { toTime } from '../schemas/instant';

/** What the subscription waits for, in a sentence for people; null when no time will change it. */
export function waitingFor(subscription: LifecycleView, now: Instant): string | null {
  const wake = nextWake(subscription, now);
  switch (wake.kind) {
    case 'wait':
      return `${wake.why.replace(/\.$/, '')} at ${toTime(wake.at)}.`;
    case 'due':
      return wake.step === 'end_trial'
        ? `The trial ended at ${toTime(wake.boundary)}; its first paid period is about to begin.`
        : `The billing period ended at ${toTime(wake.boundary)}; its renewal is due.`;
    case 'finished':
      return null;
  }
}
