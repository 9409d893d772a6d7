import { dueAtOf, nextWake, type LifecycleView } from './lifecycle';

/**
 * Returns how long after the end of its period a renewal is carried out (milliseconds, from 0 to below `windowMs`).
 * Subscriptions that renew at the same instant are spread over the window by their ids, so the delay is the same in
 * every period and after every restart. The delay is 0 if the renewal is more than a repetition: at a trial's end, a
 * scheduled change or an end, if a debt (including the renewal's own) becomes past due within the window, and for
 * everything that a payment provider bills.
 *
 * Only the processing is delayed. The period, its price and access follow from the boundary.
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

/**
 * Returns an evenly distributed fraction from 0 to below 1: FNV-1a over the id, with the finalizer of MurmurHash3
 * because ids share their prefix.
 */
function fractionOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < id.length; place += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(place), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
