import type { Instant } from '../domain/instant';
import type { Period } from '../domain/period';
import { periodsBefore } from '../domain/rollover';
import { countersRead, MOST_TERMS, type EntitledRow, type TermsRow } from './entitled-row-store';

/**
 * The starts of the usage periods that a decision in `period` depends on and that the row says nothing of: it has the
 * latest counter, which is of a later period for a late use, or where the subscription's periods have been moved; and
 * the latest few where unused quota stays, among which may be some of periods that were moved since.
 */
export function unreadPeriods(row: EntitledRow, period: Period): Instant[] {
  const { counterStart, earlier, resetInterval, rolloverPeriods } = row;
  if (counterStart === null) return [];
  const own = counterStart > period.start ? [period.start] : [];
  const counters = earlier?.counters ?? [];
  const oldest = counters.at(-1);
  // Where there are fewer than are read, the others do not exist.
  if (oldest === undefined || counters.length < countersRead(rolloverPeriods)) return own;
  const known = Date.parse(oldest.start);
  const before = periodsBefore(row, resetInterval, period, rolloverPeriods).map(({ start }) => start);
  return [...own, ...before.filter((start) => start < known)];
}

/**
 * The instants whose terms a decision in `period` depends on and the row may not have: seats that are added one by one are
 * more changes in a period than are read with it, and what counts is the first after an earlier period's end.
 */
export function unreadTerms(row: EntitledRow, period: Period): Instant[] {
  const { earlier, resetInterval, rolloverPeriods } = row;
  const terms = earlier?.terms ?? [];
  if (terms.length < MOST_TERMS || earlier?.hasAllTerms === true) return [];
  const known = Math.min(...terms.map(({ until }) => Date.parse(until)));
  const ends = periodsBefore(row, resetInterval, period, rolloverPeriods).map(({ end }) => end - 1);
  return ends.filter((at) => at < known);
}

/** The row with the terms of all these instants. */
export function withTerms<Row extends EntitledRow>(row: Row, found: readonly TermsRow[]): Row {
  if (row.earlier === null) return row;
  const terms = [...(row.earlier.terms ?? []), ...found];
  return { ...row, earlier: { ...row.earlier, terms, hasAllTerms: true } };
}
