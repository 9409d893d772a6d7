import type { Instant } from '../domain/instant';
import type { Period } from '../domain/period';
import { periodsBefore } from '../domain/rollover';
import { countersRead, MAX_TERMS, type EntitledRow, type TermsRow } from './entitled-row-store';

/**
 * Returns the starts of the usage periods that a decision in `period` depends on and that the row does not cover. The
 * row has the latest counter, which belongs to a later period if the use is late or the subscription's periods were
 * moved. If unused quota rolls over, it also has the latest few, among which may be periods that were moved since.
 */
export function unreadPeriods(row: EntitledRow, period: Period): Instant[] {
  const { counterStart, earlier, resetInterval, rolloverPeriods } = row;
  if (counterStart === null) return [];
  const own = counterStart > period.start ? [period.start] : [];
  const counters = earlier?.counters ?? [];
  const oldest = counters.at(-1);
  // If there are fewer than the maximum read, no others exist.
  if (oldest === undefined || counters.length < countersRead(rolloverPeriods)) return own;
  const known = Date.parse(oldest.start);
  const before = periodsBefore(row, resetInterval, period, rolloverPeriods).map(({ start }) => start);
  return [...own, ...before.filter((start) => start < known)];
}

/**
 * Returns the instants whose terms a decision in `period` depends on and the row may lack. Adding seats one by one can
 * cause more changes in a period than are read with the row, and the first change after an earlier period's end counts.
 */
export function unreadTerms(row: EntitledRow, period: Period): Instant[] {
  const { earlier, resetInterval, rolloverPeriods } = row;
  const terms = earlier?.terms ?? [];
  if (terms.length < MAX_TERMS || earlier?.hasAllTerms === true) return [];
  const known = Math.min(...terms.map(({ until }) => Date.parse(until)));
  const ends = periodsBefore(row, resetInterval, period, rolloverPeriods).map(({ end }) => end - 1);
  return ends.filter((at) => at < known);
}

/** Returns the row with the terms of all these instants. */
export function withTerms<Row extends EntitledRow>(row: Row, found: readonly TermsRow[]): Row {
  if (row.earlier === null) return row;
  const terms = [...(row.earlier.terms ?? []), ...found];
  return { ...row, earlier: { ...row.earlier, terms, hasAllTerms: true } };
}
