import { withDropped } from './provider-work';
import type { ReconciledView } from './reconciled-view';

type ScheduledFields = Pick<
  ReconciledView,
  'scheduled' | 'scheduledInterval' | 'nextPeriodIsFree' | 'planUnitAmount'
>;

/** Returns the scheduled change, or else the one that awaits its customer's approval; null if neither is to come. */
export function upcomingChange<Scheduled, Requested>(view: {
  scheduled: Scheduled | null;
  work: { request: Requested | null };
}): Scheduled | Requested | null {
  return view.scheduled ?? view.work.request;
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
