import type { Instant } from './instant';
import { cancelNow, type LifecycleStep, type LifecycleView, type ProviderStep } from './lifecycle-view';
import { pastDueReadAt, withoutPastDueReading } from './past-due-reading';
import { anchorOfInterval, anchorThrough } from './billing-anchor';
import { calendarPeriodContaining } from './period';
import { endsWithPeriod, periodOverAt, withEnd } from './pending-cancellation';
import { pollAgainAfter, type ProviderWork } from './provider-work';
import { PREPARE_WINDOW_MS } from './synchronizer-marker';

interface Candidate {
  step: ProviderStep | 'expire_checkout';
  at: Instant;
}

/**
 * Returns what a subscription billed by a payment provider waits for. At the same instant, an unknown outcome is
 * settled before anything else is read or sent. The provider decides when a past-due subscription ends, and may still
 * collect; access nevertheless ends by the workspace's number of days.
 */
export function stepsAtProvider(view: LifecycleView): Candidate[] {
  const unsettled: Candidate[] = view.work?.unsettled
    ? [{ step: 'settle_call', at: view.work.unsettled.retryAt }]
    : [];
  return [...unsettled, ...waitsOfState(view)];
}

function waitsOfState(view: LifecycleView): Candidate[] {
  switch (view.status) {
    case 'cancelled':
    case 'expired':
      return [];
    case 'incomplete':
      return view.incompleteUntil === null ? [] : [{ step: 'expire_checkout', at: view.incompleteUntil }];
    case 'trialing':
    case 'active':
    case 'past_due':
      return [...approval(view), ...preparation(view), boundary(view), ...pastDueRead(view)];
  }
}

function approval({ work }: LifecycleView): Candidate[] {
  return work?.request ? [{ step: 'check_approval', at: work.request.lookAt }] : [];
}

/**
 * Provider A is sent a scheduled change shortly before the renewal, and not earlier, because until then it would charge
 * the new price for anything else it invoices. If it is too late for this renewal, the change is meant for the next
 * one.
 */
function preparation(view: LifecycleView): Candidate[] {
  const { provider, work, scheduledInterval, currentPeriodEnd: end } = view;
  if (provider !== 'provider_a' || scheduledInterval === null || endsWithPeriod(view)) return [];
  if (work?.sync?.state === 'prepared') return [];
  // A command may be about to withdraw the change; only one thing at a time is requested of the provider.
  if (work?.unsettled) return [];
  const at = Math.max(end - PREPARE_WINDOW_MS, work?.sync?.retryAt ?? 0);
  return at < end ? [{ step: 'prepare_change', at }] : [];
}

function pastDueRead(view: LifecycleView): Candidate[] {
  const at = pastDueReadAt(view);
  return at === null ? [] : [{ step: 'read_past_due', at }];
}

function boundary(view: LifecycleView): Candidate {
  return { step: 'read_back', at: view.work?.lookAgainAt ?? periodOverAt(view) };
}

/**
 * Whether the provider is next read before the period is over: because it has ended or been cancelled there, or because
 * the charge of the period is outstanding.
 */
export function isReadEarly(view: LifecycleView): boolean {
  const at = view.work?.lookAgainAt ?? null;
  return at !== null && at < periodOverAt(view);
}

/** Whether a step is such a read. */
export function isEarlyRead(view: LifecycleView, step: LifecycleStep): boolean {
  return step === 'read_back' && isReadEarly(view);
}

/**
 * Plans a read in some minutes, because the last one did not show yet what the provider has reported. Unchanged if the
 * subscription is past due or will be read sooner anyway, for example at the end of its period.
 */
export function withReadSoon<V extends LifecycleView & { work: ProviderWork }>(view: V, now: Instant): V {
  if (view.status !== 'active' && view.status !== 'trialing') return view;
  const at = pollAgainAfter(0, now);
  const { lookAgainAt } = view.work;
  const isReadBefore =
    lookAgainAt === null ? periodOverAt(view) <= at : lookAgainAt > now && lookAgainAt <= at;
  return isReadBefore ? view : { ...view, work: { ...view.work, lookAgainAt: at, looks: 0 } };
}

/** Returns the subscription after a step, assuming the provider does what is expected of it. */
export function takeProviderStep<V extends LifecycleView>(view: V, step: ProviderStep): V {
  const { work } = view;
  switch (step) {
    case 'settle_call':
      return work === undefined ? view : { ...view, work: { ...work, unsettled: null } };
    case 'prepare_change': {
      const waits = work ?? { unsettled: null, request: null, lookAgainAt: null };
      return { ...view, work: { ...waits, sync: { state: 'prepared', retryAt: null } } };
    }
    case 'check_approval':
      return work?.request ? { ...view, work: { ...work, request: lookedFor(work.request) } } : view;
    case 'read_past_due':
      // How long it stays past due is unknown, so the next read represents all of them.
      return work === undefined ? view : { ...view, work: withoutPastDueReading(work) };
    case 'read_back':
      if (work !== undefined && isReadEarly(view)) return { ...view, work: { ...work, lookAgainAt: null } };
      return endsWithPeriod(view) ? cancelNow(view) : renewed(view);
  }
}

function lookedFor<R extends { lookAt: Instant; expiresAt: Instant }>(request: R): R | null {
  return request.lookAt < request.expiresAt ? { ...request, lookAt: request.expiresAt } : null;
}

/** Renews by the calendar, which is the best guess of what the provider will do. */
function renewed<V extends LifecycleView>(view: V): V {
  const { timeZone, currentPeriodEnd: start } = view;
  const interval = view.scheduledInterval ?? view.interval;
  const anchor = anchorOfInterval(view, interval, start);
  const billingAnchor = anchorThrough({ billingAnchor: anchor, timeZone, interval }, start);
  const { end } = calendarPeriodContaining({ anchor: billingAnchor, timeZone, interval }, start);
  return withEnd({
    ...view,
    status: 'active',
    interval,
    billingAnchor,
    pastDueSince: null,
    currentPeriodStart: start,
    currentPeriodEnd: end,
    scheduledInterval: null,
    ...(view.work && { work: { ...view.work, sync: null, lookAgainAt: null } }),
  });
}
