import type { Instant } from './instant';

/** What says when a subscription ends by itself, here and at its provider alike. */
export interface EndView {
  /** Left out in local billing, which ends at once. */
  cancelAtPeriodEnd?: boolean;
  /** The instant at which it ends, where the provider names one; else it is the period's end, if any. */
  cancelAt?: Instant | null;
  /** Null where the provider does not say. */
  currentPeriodEnd: Instant | null;
}

/** When a subscription ends by itself; null while it renews. The instant may have passed. */
export function endsAt({ cancelAtPeriodEnd, cancelAt, currentPeriodEnd }: EndView): Instant | null {
  return cancelAt ?? (cancelAtPeriodEnd === true ? currentPeriodEnd : null);
}

/**
 * Whether no period follows the current one, so that nothing is charged any more. An end that lies beyond this period,
 * and be it by a second, is one before which it renews.
 */
export function endsWithPeriod(view: EndView): boolean {
  const end = endsAt(view);
  if (view.currentPeriodEnd === null) return view.cancelAtPeriodEnd === true;
  return end !== null && end <= view.currentPeriodEnd;
}

/** When the current period is over: at its end, or at the end of the subscription where that is earlier. */
export function periodOverAt(view: EndView & { currentPeriodEnd: Instant }): Instant {
  return Math.min(view.currentPeriodEnd, endsAt(view) ?? view.currentPeriodEnd);
}

/** The same, with `cancelAtPeriodEnd` as it is for the current period; for after a period or an end has moved. */
export function withEnd<V extends EndView>(view: V): V {
  if (view.cancelAt === undefined || view.cancelAt === null) return view;
  return { ...view, cancelAtPeriodEnd: endsWithPeriod(view) };
}

/** What provider A says of a subscription's end, in our words of its states. */
export interface EndAtProviderA {
  ended: boolean;
  cancelAtPeriodEnd: boolean;
  cancelAt: Instant | null;
  /** When the periods of its items end; usually all at once. */
  periodEnds: readonly Instant[];
  canceledAt: Instant | null;
  endedAt: Instant | null;
}

/**
 * When a subscription at provider A ends or has ended. `canceledAt` is when it was requested, which counts only
 * where nothing better is known of one that is over. Of two ends the earlier one counts, because the provider acts on
 * both; and with several items, something is charged when the first of their periods ends.
 */
export function endAtProviderA(view: EndAtProviderA): {
  cancelAtPeriodEnd: boolean;
  cancelAt: Instant | null;
} {
  const { ended, cancelAtPeriodEnd, cancelAt: at, periodEnds } = view;
  if (ended) return { cancelAtPeriodEnd, cancelAt: view.endedAt ?? view.canceledAt ?? at };
  if (at === null || periodEnds.length === 0) return { cancelAtPeriodEnd, cancelAt: at };
  const cancelAt = cancelAtPeriodEnd ? Math.min(at, Math.max(...periodEnds)) : at;
  const renewsAt = Math.min(...periodEnds);
  return { cancelAt, cancelAtPeriodEnd: endsWithPeriod({ cancelAt, currentPeriodEnd: renewsAt }) };
}
