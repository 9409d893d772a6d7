import type { Instant } from './instant';

/** Fields that determine when a subscription ends automatically, here and at its provider alike. */
export interface EndView {
  /** Omitted in local billing, which ends immediately. */
  cancelAtPeriodEnd?: boolean;
  /** Instant at which it ends, if the provider names one; otherwise the end of the period, if any. */
  cancelAt?: Instant | null;
  /** Null if the provider does not report it. */
  currentPeriodEnd: Instant | null;
}

/** The same with a known period. */
export type PeriodEndView = EndView & { currentPeriodEnd: Instant };

/** Returns when a subscription ends automatically; null if no end is set. The instant may be in the past. */
export function endsAt({ cancelAtPeriodEnd, cancelAt, currentPeriodEnd }: EndView): Instant | null {
  return cancelAt ?? (cancelAtPeriodEnd === true ? currentPeriodEnd : null);
}

/**
 * Whether no period follows the current one, so that nothing more is charged. If the end lies beyond this period, even
 * by a second, the subscription renews before it.
 */
export function endsWithPeriod(view: PeriodEndView): boolean {
  const end = endsAt(view);
  return end !== null && end <= view.currentPeriodEnd;
}

/** Returns when the current period is over: at its end, or at the subscription's end if that is earlier. */
export function periodOverAt(view: PeriodEndView): Instant {
  return Math.min(view.currentPeriodEnd, endsAt(view) ?? view.currentPeriodEnd);
}

/** Updates `cancelAtPeriodEnd` for the current period, after a period or an end has moved. */
export function withEnd<V extends PeriodEndView>(view: V): V {
  return { ...view, cancelAtPeriodEnd: endsWithPeriod(view) };
}

/** Provider A's report of a subscription's end, in our terms for its states. */
export interface EndAtProviderA {
  ended: boolean;
  cancelAtPeriodEnd: boolean;
  cancelAt: Instant | null;
  /** End of the period of the plan's item; null if it is not stated. */
  currentPeriodEnd: Instant | null;
  /** When the first of its items' periods ends, usually that one; the others have intervals of their own. */
  firstPeriodEnd: Instant | null;
  canceledAt: Instant | null;
  endedAt: Instant | null;
}

/**
 * Returns when a subscription at provider A ends or has ended. `canceledAt` is when the cancellation was requested, and
 * counts only for an ended subscription without a better source. Of two ends the earlier one counts, because the
 * provider acts on both. Its own setting for the end of the period means that of the first period.
 */
export function endAtProviderA(view: EndAtProviderA): {
  cancelAtPeriodEnd: boolean;
  cancelAt: Instant | null;
} {
  const { ended, cancelAtPeriodEnd, cancelAt: at, currentPeriodEnd, firstPeriodEnd } = view;
  if (ended) return { cancelAtPeriodEnd, cancelAt: view.endedAt ?? view.canceledAt ?? at };
  if (at === null || currentPeriodEnd === null) return { cancelAtPeriodEnd, cancelAt: at };
  const cancelAt = cancelAtPeriodEnd ? Math.min(at, firstPeriodEnd ?? currentPeriodEnd) : at;
  return { cancelAt, cancelAtPeriodEnd: endsWithPeriod({ cancelAt, currentPeriodEnd }) };
}
