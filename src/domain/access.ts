import { coverWithCredits, spendable } from './access-credits';
import { applyDeductions } from './access-deductions';
import { quotaExceeded, refusalWithoutSource } from './access-reasons';
import type {
  AccessDecision,
  AccessQuestion,
  AccessSnapshot,
  AccessSource,
  CreditBalance,
  Deduction,
} from './access-types';
import type { Decimal } from './decimal';
import type { Instant } from './instant';

export type * from './access-types';
export { applyDeductions, applyHold, isCountedIn } from './access-deductions';
export { ACCESS_RULES, ruleOf } from './access-reasons';

const noOverage = (): AccessDecision['overage'] => ({ allowed: false, quantity: 0n });

/**
 * Decides whether the customer may use the quantity now, and what it is taken from:
 * quota first, then credits, then overage where an entitlement is soft. Records nothing.
 * @throws RangeError when the quantity is not above zero.
 */
export function decideAccess(question: AccessQuestion): AccessDecision {
  const { feature, quantity, credits } = question;
  if (quantity <= 0n) throw new RangeError('The quantity must be above zero.');
  const sources = question.sources.length > 1 ? [...question.sources].sort(byPeriodEnd) : question.sources;
  const unlimited = sources.find((source) => source.quota === null);
  const first = unlimited ?? sources[0];
  const before = snapshot(feature.kind, sources, credits);
  if (first === undefined) return denied(question, before);

  const soft = sources.find((source) => source.enforcement === 'soft');
  if (feature.kind === 'boolean') {
    return about(first, soft, { reason: null, deductions: [], before, after: before, overage: noOverage() });
  }
  const { deductions, uncovered } =
    unlimited === undefined
      ? cover(quantity, sources, credits, first)
      : { deductions: [fromQuota(quantity, unlimited)], uncovered: 0n };
  if (uncovered > 0n) {
    if (soft === undefined) {
      const message = quotaExceeded(question, uncovered, before, first.period);
      const reason = { code: 'quota_exceeded' as const, message };
      return about(first, soft, { reason, deductions: [], before, after: before, overage: noOverage() });
    }
    deductions.push({ from: 'overage', quantity: uncovered, ...countedIn(soft) });
  }
  const left = applyDeductions(sources, credits, deductions);
  const after = snapshot(feature.kind, left.sources, left.credits);
  const overage = { allowed: soft !== undefined, quantity: uncovered };
  return about(first, soft, { reason: null, deductions, before, after, overage });
}

type Outcome = Pick<AccessDecision, 'deductions' | 'before' | 'after' | 'reason' | 'overage'>;

/** Written out member by member: spreading objects cost more than the whole decision. */
function about(first: AccessSource, soft: AccessSource | undefined, outcome: Outcome): AccessDecision {
  return {
    allowed: outcome.reason === null,
    reason: outcome.reason,
    deductions: outcome.deductions,
    before: outcome.before,
    after: outcome.after,
    enforcement: soft === undefined ? 'hard' : 'soft',
    overage: outcome.overage,
    period: first.period,
    plan: first.plan,
    subscriptionId: first.subscriptionId,
  };
}

/** Takes what quota and credits give; `uncovered` is the rest. */
function cover(
  quantity: Decimal,
  sources: readonly AccessSource[],
  credits: readonly CreditBalance[],
  creditedTo: AccessSource,
): { deductions: Deduction[]; uncovered: Decimal } {
  const deductions: Deduction[] = [];
  let uncovered = quantity;
  for (const source of sources) {
    if (source.carriedFirst) uncovered -= takeCarried(uncovered, source, deductions);
    const units = lesser(uncovered, freeQuota(source));
    if (units > 0n) deductions.push(fromQuota(units, source));
    uncovered -= units;
    if (!source.carriedFirst) uncovered -= takeCarried(uncovered, source, deductions);
  }
  const cost = cheapestCost(sources);
  if (uncovered === 0n || cost === null) return { deductions, uncovered };
  const paid = coverWithCredits(uncovered, cost, [...credits].sort(byExpiry), countedIn(creditedTo));
  return { deductions: [...deductions, ...paid.deductions], uncovered: uncovered - paid.covered };
}

function denied(question: AccessQuestion, before: AccessSnapshot): AccessDecision {
  return {
    allowed: false,
    reason: refusalWithoutSource(question.accessStatus, question.feature.key),
    deductions: [],
    before,
    after: before,
    enforcement: null,
    overage: noOverage(),
    period: null,
    plan: null,
    subscriptionId: null,
  };
}

/** The balances of a feature, as answers show them. */
export function snapshot(
  kind: 'metered' | 'boolean',
  sources: readonly AccessSource[],
  credits: readonly CreditBalance[],
): AccessSnapshot {
  let usage = 0n;
  let quota = 0n;
  let remaining = 0n;
  let reserved = 0n;
  let rollover = 0n;
  let unlimited = false;
  for (const source of sources) {
    usage += source.used;
    if (source.quota === null) unlimited = true;
    else quota += source.quota;
    const carried = usableCarried(source);
    rollover += carried;
    remaining += freeQuota(source) + carried;
    reserved += source.reserved;
  }
  let creditBalance = 0n;
  for (const grant of credits) creditBalance += spendable(grant);
  if (kind === 'boolean')
    return { usage, quota: null, remaining: null, unlimited: false, rollover, reserved, creditBalance };
  if (unlimited) return { usage, quota: null, remaining: null, unlimited, rollover, reserved, creditBalance };
  return { usage, quota, remaining, unlimited, rollover, reserved, creditBalance };
}

function freeQuota(source: AccessSource): Decimal {
  if (source.quota === null) return 0n;
  const free = source.quota - source.quotaUsed - source.usedLater - source.reservedQuota;
  return free > 0n ? free : 0n;
}

/**
 * Units of earlier usage periods that the source may still use. Of one less than nothing is left where a late use, which
 * has the quota of now, took what was held of its quota of then.
 */
function usableCarried({ carried, carriedLimit }: AccessSource): Decimal {
  let units = 0n;
  for (const { remaining } of carried) if (remaining > 0n) units += remaining;
  if (carriedLimit === null || units <= carriedLimit) return units;
  return carriedLimit > 0n ? carriedLimit : 0n;
}

/** Adds deductions of up to `wanted` units of earlier usage periods, oldest first. @returns how many there are */
function takeCarried(wanted: Decimal, source: AccessSource, deductions: Deduction[]): Decimal {
  const units = lesser(wanted, usableCarried(source));
  let missing = units;
  for (const { periodStart, remaining } of source.carried) {
    const part = lesser(missing, remaining);
    if (part <= 0n) continue;
    deductions.push({ from: 'rollover', quantity: part, ...countedIn(source), originStart: periodStart });
    missing -= part;
  }
  return units;
}

function cheapestCost(sources: readonly AccessSource[]): Decimal | null {
  let cheapest: Decimal | null = null;
  for (const { creditCost } of sources) {
    if (creditCost === null || creditCost <= 0n) continue;
    if (cheapest === null || creditCost < cheapest) cheapest = creditCost;
  }
  return cheapest;
}

function fromQuota(quantity: Decimal, source: AccessSource): Deduction {
  return {
    from: 'quota',
    quantity,
    subscriptionId: source.subscriptionId,
    periodStart: source.period.start,
  };
}

function countedIn({ subscriptionId, period }: AccessSource): {
  subscriptionId: string;
  periodStart: Instant;
} {
  return { subscriptionId, periodStart: period.start };
}

function lesser(a: Decimal, b: Decimal): Decimal {
  return a < b ? a : b;
}

function byPeriodEnd(a: AccessSource, b: AccessSource): number {
  return compareEnds(a.period.end, b.period.end) || compareText(a.subscriptionId, b.subscriptionId);
}

function byExpiry(a: CreditBalance, b: CreditBalance): number {
  return compareEnds(a.expiresAt, b.expiresAt) || compareText(a.grantId, b.grantId);
}

/** Null (never) comes last. */
function compareEnds(a: Instant | null, b: Instant | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a - b;
}

/** By code unit, as the database's "C" collation does for ASCII ids, so that locks and decisions agree. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
