import { coverWithCredits } from './access-credits';
import { applyDeductions } from './access-deductions';
import { quotaExceeded, refusalWithoutSource } from './access-reasons';
import { freeQuota, isUnlimited, snapshot, takenQuota, usableCarried } from './access-snapshot';
import type { AccessDecision, AccessQuestion, AccessSource, CreditBalance, Deduction } from './access-types';
import type { Decimal } from './decimal';
import { entityQuotaExceeded, entityRoom, openSources, refusalOfEntity } from './entity-quota';
import type { Instant } from './instant';

export type * from './access-types';
export { applyDeductions, applyHold, isCountedIn } from './access-deductions';
export { DENIAL_CODES } from './access-types';
export { ACCESS_RULES, ruleOf } from './access-reasons';
export { quotasCover, snapshot } from './access-snapshot';

const noOverage = (): AccessDecision['overage'] => ({ allowed: false, quantity: 0n });

/**
 * Decides whether the customer may use the quantity now, and what it is taken from: quota first (the customer's, as far
 * as the entity's own allows), then credits, then overage if an entitlement is soft. Records nothing.
 * @throws RangeError when the quantity is not above zero.
 */
export function decideAccess(question: AccessQuestion): AccessDecision {
  const { feature, quantity, credits } = question;
  if (quantity <= 0n) throw new RangeError('The quantity must be above zero.');
  const open = openSources(question);
  const sources = open.length > 1 ? [...open].sort(byPeriodEnd) : open;
  const unlimited = sources.find(isUnlimited);
  const first = unlimited ?? sources[0];
  const before = snapshot(feature.kind, sources, credits);
  if (first === undefined) return denied(question, before);

  const soft = sources.find((source) => source.enforcement === 'soft');
  const refusal = refusalOfEntity(question);
  if (refusal !== null) return about(first, soft, deny(refusal, before));
  if (feature.kind === 'boolean') {
    return about(first, soft, { reason: null, deductions: [], before, after: before, overage: noOverage() });
  }
  const { deductions, uncovered } =
    unlimited === undefined
      ? cover(quantity, sources, credits, first)
      : { deductions: [fromQuota(quantity, unlimited)], uncovered: 0n };
  if (uncovered > 0n) {
    if (soft === undefined) {
      const ofEntity = entityQuotaExceeded(question, before.entity);
      const message =
        ofEntity ?? quotaExceeded(question, uncovered, takenQuota(sources), before, first.period);
      return about(first, soft, deny({ code: 'quota_exceeded', message }, before));
    }
    deductions.push({ from: 'overage', quantity: uncovered, ...countedIn(soft) });
  }
  const left = applyDeductions(sources, credits, deductions);
  const after = snapshot(feature.kind, left.sources, left.credits);
  const overage = { allowed: soft !== undefined, quantity: uncovered };
  return about(first, soft, { reason: null, deductions, before, after, overage });
}

type Outcome = Pick<AccessDecision, 'deductions' | 'before' | 'after' | 'reason' | 'overage'>;

function deny(reason: NonNullable<AccessDecision['reason']>, before: AccessDecision['before']): Outcome {
  return { reason, deductions: [], before, after: before, overage: noOverage() };
}

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

/** Takes what quota and credits cover; `uncovered` is the rest. */
function cover(
  quantity: Decimal,
  sources: readonly AccessSource[],
  credits: readonly CreditBalance[],
  creditedTo: AccessSource,
): { deductions: Deduction[]; uncovered: Decimal } {
  const deductions: Deduction[] = [];
  let uncovered = quantity;
  for (const source of sources) uncovered -= takeQuota(uncovered, source, deductions);
  const cost = cheapestCost(sources);
  if (uncovered === 0n || cost === null) return { deductions, uncovered };
  const wanted = { units: uncovered, cost };
  const paid = coverWithCredits(wanted, [...credits].sort(byExpiry), countedIn(creditedTo));
  return { deductions: [...deductions, ...paid.deductions], uncovered: uncovered - paid.covered };
}

function denied(question: AccessQuestion, before: AccessDecision['before']): AccessDecision {
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

/**
 * Adds deductions of up to `wanted` units from the quotas of this period and earlier ones.
 * @returns the number of units deducted
 */
function takeQuota(wanted: Decimal, source: AccessSource, deductions: Deduction[]): Decimal {
  const room = entityRoom(source);
  const most = room === null ? wanted : lesser(wanted, room);
  const carriedBefore = source.carriedFirst ? takeCarried(most, source, deductions) : 0n;
  const free = freeQuota(source);
  const units = free === null ? most - carriedBefore : lesser(most - carriedBefore, free);
  if (units > 0n) deductions.push(fromQuota(units, source));
  const taken = carriedBefore + units;
  return source.carriedFirst ? taken : taken + takeCarried(most - taken, source, deductions);
}

/**
 * Adds deductions of up to `wanted` units from earlier usage periods, oldest first.
 * @returns the number of units deducted
 */
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

/** Sorts null (never) last. */
function compareEnds(a: Instant | null, b: Instant | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a - b;
}

/** Compares by code unit, as the database's "C" collation does for ASCII ids, so that locks and decisions agree. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
