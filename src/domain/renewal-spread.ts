import { dueAtOf, nextWake, type LifecycleView } from './lifecycle';

/**
 * How long after the end of its period a renewal is taken (milliseconds, from 0 to below `windowMs`). Subscriptions that
 * renew at one instant are spread over the window, each by its own id, so the delay is the same in every period and
 * after every restart. 0 wherever the renewal is more than a repetition: a trial's end, a scheduled change, an end, a
 * debt that becomes past due within the window, the renewal's own among them, and whatever a payment provider bills.
 *
 * Only the taking moves. The period, its price and access follow from the boundary.
 */
export function renewalDelay(view: LifecycleView, subscriptionId: string, windowMs: number): number {
  return isRepetition(view, windowMs) ? Math.floor(fractionOf(subscriptionId) * windowMs) : 0;
}

function isRepetition(view: LifecycleView, windowMs: number): boolean {
  const { provider, status, currentPeriodEnd: end, paymentDueAt } = view;
  if (provider !== 'internal' || status !== 'active' || view.scheduledInterval !== null) return false;
  const renewalDueAt = view.nextPeriodIsFree ? null : dueAtOf(end, view.pastDueAfterDays);
  if ([paymentDueAt, renewalDueAt].some((due) => due !== null && due < end + windowMs)) return false;
  const wake = nextWake(view, end - 1);
  return wake.kind === 'wait' && wake.step === 'turn_period';
}

/** From 0 to below 1, evenly: FNV-1a over the id, finished as MurmurHash3 is, because ids share their beginning. */
function fractionOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < id.length; place += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(place), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
