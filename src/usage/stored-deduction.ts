import type { Deduction } from '../domain/access';
import { formatDecimal, parseDecimal } from '../domain/decimal';
import { isoText } from '../domain/instant';
import type { ResetInterval } from '../domain/period';
import type { CountedSource } from './counted-source';

/** Source of a use's units, as its event stores it: the key of a counter, and a grant. Decimals are text. */
export interface StoredDeduction {
  from: Deduction['from'];
  quantity: string;
  subscriptionId: string;
  resetInterval: ResetInterval;
  /** ISO 8601. */
  periodStart: string;
  grantId?: string;
  credits?: string;
  /** For `rollover`: start of the earlier usage period, in ISO 8601. */
  originStart?: string;
}

/** A deduction with the key of its counter. */
export type TakenDeduction = Deduction & { resetInterval: ResetInterval };

/** Returns the deduction with the reset interval of its counter. */
export function withInterval(
  deduction: Deduction,
  counters: readonly (TakenDeduction | CountedSource)[],
): TakenDeduction {
  const { subscriptionId, periodStart } = deduction;
  const counter = counters.find(
    (one) =>
      one.subscriptionId === subscriptionId &&
      ('period' in one ? one.period.start : one.periodStart) === periodStart,
  );
  if (counter === undefined) throw new Error(`A deduction names no source: ${subscriptionId}`);
  return { ...deduction, resetInterval: counter.resetInterval };
}

export function toTaken(stored: StoredDeduction): TakenDeduction {
  const { from, subscriptionId, resetInterval, grantId, originStart } = stored;
  const counted = { subscriptionId, resetInterval, periodStart: Date.parse(stored.periodStart) };
  const quantity = parseDecimal(stored.quantity);
  if (from === 'rollover') {
    if (originStart === undefined) throw new Error('A deduction of an earlier usage period names none.');
    return { ...counted, from, quantity, originStart: Date.parse(originStart) };
  }
  if (from !== 'credits') return { ...counted, from, quantity };
  if (grantId === undefined || stored.credits === undefined)
    throw new Error('A deduction of credits names no grant.');
  return { ...counted, from, quantity, grantId, credits: parseDecimal(stored.credits) };
}

export function toStored(taken: TakenDeduction): StoredDeduction {
  const { from, subscriptionId, resetInterval } = taken;
  const quantity = formatDecimal(taken.quantity);
  const periodStart = isoText(taken.periodStart);
  switch (taken.from) {
    case 'quota':
    case 'overage':
      return { from, quantity, subscriptionId, resetInterval, periodStart };
    case 'rollover': {
      const originStart = isoText(taken.originStart);
      return { from, quantity, subscriptionId, resetInterval, periodStart, originStart };
    }
    case 'credits': {
      const { grantId } = taken;
      const credits = formatDecimal(taken.credits);
      return { from, quantity, subscriptionId, resetInterval, periodStart, grantId, credits };
    }
  }
}
