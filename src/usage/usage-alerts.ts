import type { Announcement } from '../announcements/announcement-store';
import { factOfAlert } from '../domain/announced-facts';
import type { CreditBalance, Deduction } from '../domain/access';
import { lowCredits } from '../domain/credit-alert';
import { formatDecimal, parseDecimal, type Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import { nextAlertAt, reachedAlerts, type AlertTerms } from '../domain/usage-alert';
import type { PreparedEvent } from '../events/developer-event-batch-store';
import type { AlertedCredits } from './alert-store';
import { countedUnits, type Counter, type Tally } from './counter';
import type { CountedSource } from './counted-source';
import type { PairState } from './pair-state';
import { creditsLowEvent, thresholdEvent, type AlertIds } from './usage-alert-event';
import type { TakenDeduction } from './stored-deduction';
import type { UsageCall } from './usage-call';
import type { CreditMember } from './usage-context-store';

/** A track that was counted. */
export interface CountedTrack {
  call: UsageCall;
  pair: PairState;
  ids: AlertIds;
  /** The sources it was decided on. */
  sources: readonly CountedSource[];
  deductions: readonly TakenDeduction[];
  /** The customer's grants: as read, and the unexpired ones with their remaining credits. */
  grants: { read: readonly CreditMember[]; left: readonly CreditBalance[] };
  /** Percentage of remaining credits at which low credits are notified; null: never. */
  creditsLowPercent: number | null;
}

const NONE: readonly PreparedEvent[] = [];

/**
 * The alerts of a batch (docs/decisions/usage-alerts.md). What was notified is stored with the counters, which are
 * written with the batch, and, for credits, with the grants.
 */
export class UsageAlerts {
  /** A hundred times the units at which the next alert of a counter is due; null: none is. */
  private readonly next = new Map<Counter, Decimal | null>();
  private readonly low = new Map<string, AlertedCredits>();
  private readonly announced: Announcement[] = [];

  /** The grants to mark as notified. */
  get alertedCredits(): AlertedCredits[] {
    return [...this.low.values()];
  }

  /**
   * Returns the events that integrators receive.
   * @param happenedAt the workspace's time
   */
  announcements(happenedAt: Instant): Announcement[] {
    return this.announced.map((fact) => ({ ...fact, happenedAt }));
  }

  /** Returns the developer events of the alerts that a track has reached. */
  after(track: CountedTrack): readonly PreparedEvent[] {
    const events = this.eventsAfter(track);
    for (const { id: eventId, type } of events) {
      if (type !== 'USAGE_THRESHOLD_REACHED' && type !== 'CREDITS_LOW') continue;
      this.announced.push({ ...factOfAlert(type, track.ids.customerId), eventId });
    }
    return events;
  }

  private eventsAfter(track: CountedTrack): readonly PreparedEvent[] {
    let events = NONE;
    let paid = false;
    for (const deduction of track.deductions) {
      if (deduction.from === 'rollover') continue;
      paid ||= deduction.from === 'credits';
      const reached = this.afterDeduction(track, deduction);
      if (reached.length > 0) events = [...events, ...reached];
    }
    const low = paid ? this.afterCredits(track) : null;
    return low === null ? events : [...events, low];
  }

  private afterDeduction(track: CountedTrack, deduction: TakenDeduction): readonly PreparedEvent[] {
    const counter = track.pair.counters.find(deduction);
    if (counter === undefined) return NONE;
    const next = this.next.get(counter);
    const units = countedUnits(counter.tally);
    if (next !== undefined && (next === null || units * 100n < next)) return NONE;
    const alertable = track.pair.alertableOf(deduction, track.sources);
    if (alertable === undefined) return NONE;
    const { source, percents } = alertable;
    const terms = { percents, quota: source.quota, notified: notifiedOf(counter.tally) };
    const { percents: reached, notified } = reachedAlerts(terms, units);
    this.next.set(counter, nextAlertAt({ ...terms, notified }));
    if (reached.length === 0 || notified === null) return NONE;
    const { quota, percent: alertedPercent } = notified;
    counter.tally = { ...counter.tally, alertedQuota: formatDecimal(quota), alertedPercent };
    const { call, ids } = track;
    return reached.map((percent) => thresholdEvent(call, ids, source, { percent, quota, usage: units }));
  }

  private afterCredits(track: CountedTrack): PreparedEvent | null {
    const { call, ids, deductions, grants, creditsLowPercent: percent } = track;
    if (percent === null || this.low.has(ids.customerId)) return null;
    // Usually all grants are marked once the low credits were notified.
    if (grants.read.every(({ lowAlerted }) => lowAlerted)) return null;
    const known = new Map(grants.read.map((grant) => [grant.id, grant]));
    const held = grants.left.flatMap(({ grantId, remaining }) => {
      const grant = known.get(grantId);
      if (grant === undefined || remaining + takenFrom(grantId, deductions) === 0n) return [];
      return [{ amount: parseDecimal(grant.amount), remaining, notified: grant.lowAlerted }];
    });
    const low = lowCredits(percent, held);
    if (low === null) return null;
    this.low.set(ids.customerId, { customerId: ids.customerId, grantIds: [...known.keys()] });
    return creditsLowEvent(call, ids, { ...low, percent });
  }
}

function notifiedOf({ alertedQuota, alertedPercent }: Tally): AlertTerms['notified'] {
  if (alertedQuota === null || alertedPercent === null) return null;
  return { quota: parseDecimal(alertedQuota), percent: alertedPercent };
}

function takenFrom(grantId: string, deductions: readonly Deduction[]): Decimal {
  let credits = 0n;
  for (const one of deductions) if (one.from === 'credits' && one.grantId === grantId) credits += one.credits;
  return credits;
}
