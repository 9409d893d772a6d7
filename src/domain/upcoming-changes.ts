import { withDropped } from './provider-work';
import type { ReconciledView } from './reconciled-view';
import { isSamePlanAndSeats, type PlanAndSeats } from './same-plan-and-seats';

type ScheduledFields = Pick<
  ReconciledView,
  'scheduled' | 'scheduledInterval' | 'nextPeriodIsFree' | 'planUnitAmount'
>;

interface WithUpcomingChanges<Scheduled, Requested> {
  scheduled: Scheduled | null;
  work: { request: Requested | null };
}

/** Returns the scheduled change and then the one that awaits its customer's approval. Provider B may have both. */
export function upcomingChanges<Scheduled, Requested>({
  scheduled,
  work: { request },
}: WithUpcomingChanges<Scheduled, Requested>): (Scheduled | Requested)[] {
  return [...(scheduled === null ? [] : [scheduled]), ...(request === null ? [] : [request])];
}

/**
 * Returns the upcoming changes that no longer come, in the same order, without one that has taken effect.
 *
 * @param to target of the change that replaces them, if that is the reason; the same change again drops nothing
 */
export function droppedChanges<Scheduled extends PlanAndSeats, Requested extends PlanAndSeats>(
  before: PlanAndSeats & WithUpcomingChanges<Scheduled, Requested>,
  after: PlanAndSeats & WithUpcomingChanges<PlanAndSeats, PlanAndSeats>,
  to: PlanAndSeats | null = null,
): (Scheduled | Requested)[] {
  // A change back to the current terms does not take effect by leaving them as they are.
  const current = isSamePlanAndSeats(before, after) ? null : after;
  const kept = [...upcomingChanges(after), current, to];
  return upcomingChanges(before).filter((change) => !kept.some((one) => isSamePlanAndSeats(change, one)));
}

/** Removes the scheduled change: the next renewal charges the current plan's price. */
export function withoutScheduledChange<V extends ScheduledFields>(view: V): V {
  const nextPeriodIsFree = view.planUnitAmount === 0n;
  return { ...view, scheduled: null, scheduledInterval: null, nextPeriodIsFree };
}

/**
 * Removes the scheduled change and the one that awaits its customer's approval. Provider B keeps the request, and a
 * late approval of it still counts.
 */
export function withoutUpcomingChanges<V extends ScheduledFields & Pick<ReconciledView, 'work'>>(view: V): V {
  const { request } = view.work;
  const work = { ...view.work, request: null, sync: null };
  return {
    ...withoutScheduledChange(view),
    work: request === null ? work : withDropped(work, request),
  };
}
