import type { AccessSource } from '../domain/access';
import { parseDecimal, type Decimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import { usagePeriod, type Period, type ResetInterval } from '../domain/period';
import { effectiveQuota } from '../domain/quota';
import { carriedOver, type CarriedUnits, type FormerTerms, type PeriodUse } from '../domain/rollover';
import { NOTHING, tallyOf, unitsOf, type Tally } from './counter';
import type { EntitledRow } from './entitled-row-store';

/** A source of units with the reset interval of its counter. */
export interface CountedSource extends AccessSource {
  resetInterval: ResetInterval;
}

/** Returns a usage period's counter if a more recent state than its row is known. */
export type KnownTally = (periodStart: Instant) => Tally | undefined;

const UNKNOWN: KnownTally = () => undefined;
const NONE: readonly CarriedUnits[] = [];

/**
 * Returns the source of units that an entitlement represents at an instant, with the usage of that instant's usage
 * period.
 *
 * @param known counters as the batch has changed them, and counters other than the latest, which is in the row
 * @param period the usage period of the instant, if known
 */
export function countedSource(
  row: EntitledRow,
  at: Instant,
  known: KnownTally = UNKNOWN,
  period: Period = usagePeriod(row, row.resetInterval, at),
): CountedSource {
  // The row has the latest counter; a counter of another period does not apply to this one.
  const tally = known(period.start) ?? (row.counterStart === period.start ? tallyOf(row) : NOTHING);
  const most = parseOrNull(row.rolloverMax);
  return {
    subscriptionId: row.subscriptionId,
    plan: { id: row.planId, slug: row.planSlug },
    quota: effectiveQuota(parseOrNull(row.quota), row.perSeat, row.seats),
    quotaUsed: tally.quota,
    used: unitsOf(tally),
    usedLater: tally.usedLater,
    reservedQuota: 0n,
    carried: row.earlier === null ? NONE : carriedTo(row, period, known),
    carriedLimit: most === null ? null : most - tally.rollover,
    carriedFirst: row.rolloverFirst,
    reserved: 0n,
    enforcement: row.enforcement,
    creditCost: parseOrNull(row.creditCost),
    period,
    entityQuota: parseOrNull(row.entityQuota),
    entityLimit: row.entityLimit,
    entity: null,
    resetInterval: row.resetInterval,
  };
}

function carriedTo(row: EntitledRow, period: Period, known: KnownTally): CarriedUnits[] {
  const uses = new Map(
    row.earlier?.counters?.map(({ start, quotaUsed, usedLater }) => [
      Date.parse(start),
      { used: parseDecimal(quotaUsed), usedLater: parseDecimal(usedLater) },
    ]),
  );
  const use = (start: Instant): PeriodUse => {
    const tally = known(start);
    if (tally !== undefined) return { used: tally.quota, usedLater: tally.usedLater };
    return uses.get(start) ?? { used: 0n, usedLater: 0n };
  };
  const quota = effectiveQuota(parseOrNull(row.quota), row.perSeat, row.seats);
  return carriedOver({
    subscription: row,
    period,
    terms: { periods: row.rolloverPeriods, most: parseOrNull(row.rolloverMax) },
    present: { quota, resetInterval: row.resetInterval, rollsOver: row.rolloverPeriods > 0 },
    former: (row.earlier?.terms ?? []).map(formerTerms),
    use,
  });
}

function formerTerms(terms: NonNullable<NonNullable<EntitledRow['earlier']>['terms']>[number]): FormerTerms {
  return {
    until: Date.parse(terms.until),
    quota: effectiveQuota(parseOrNull(terms.quota), terms.perSeat, terms.seats),
    resetInterval: terms.resetInterval,
    rollsOver: terms.rollsOver,
  };
}

function parseOrNull(text: string | null): Decimal | null {
  return text === null ? null : parseDecimal(text);
}
