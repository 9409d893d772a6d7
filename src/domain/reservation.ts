import { applyDeductions, applyHold } from './access-deductions';
import { decideAccess, snapshot } from './access';
import type { AccessDecision, AccessQuestion, Deduction } from './access-types';
import type { Decimal } from './decimal';
import { openSources } from './entity-quota';
import { reversalOf, unitsTaken } from './usage-reversal';

/** How long a reservation may hold units, in seconds. */
export const RESERVATION_SECONDS = { least: 1, most: 86_400 } as const;

/**
 * Maximum number of reservations that a customer may have at once. Each access decision about the customer reads them
 * all.
 */
export const MAX_RESERVATIONS = 5_000;

/**
 * Decides a use for which units are held. It first receives the held units, in the order in which they were taken.
 * Units beyond them are decided like any other use, and held units that it does not use are released.
 *
 * @param question for the whole quantity, with balances from which the reservation still holds its part
 * @param held the deductions of the granted reservation
 */
export function decideReserved(question: AccessQuestion, held: readonly Deduction[]): AccessDecision {
  const { feature, quantity } = question;
  const kept = firstUnits(held, quantity);
  const free = applyHold(question.sources, question.credits, held, -1n);
  const left = applyDeductions(free.sources, free.credits, kept);
  const beyond = quantity - unitsTaken(kept);
  const remainder = { ...question, sources: left.sources, credits: left.credits };
  const before = snapshot(feature.kind, openSources(question), question.credits);
  // Held units need no decision; then any quantity yields the rest of the answer.
  const rest = decideAccess({ ...remainder, quantity: beyond > 0n ? beyond : quantity });
  if (beyond > 0n && !rest.allowed) return { ...rest, before, after: before };
  const deductions = mergeDeductions(beyond > 0n ? [...kept, ...rest.deductions] : kept);
  const overage = unitsTaken(deductions.filter(({ from }) => from === 'overage'));
  return {
    ...rest,
    allowed: true,
    reason: null,
    deductions,
    before,
    after: beyond > 0n ? rest.after : snapshot(feature.kind, openSources(remainder), left.credits),
    overage: { allowed: rest.overage.allowed, quantity: overage },
  };
}

/**
 * Returns the deductions of the first units: all deductions, less what a reversal of the other units would give back.
 */
export function firstUnits(deductions: readonly Deduction[], quantity: Decimal): Deduction[] {
  const all = unitsTaken(deductions);
  if (quantity >= all) return [...deductions];
  const returned = reversalOf(deductions, all - quantity);
  return deductions.flatMap((deduction) => {
    const back = returned.find((one) => targetOf(one) === targetOf(deduction));
    if (back === undefined) return [deduction];
    const rest = deduction.quantity - back.quantity;
    if (deduction.from !== 'credits' || back.from !== 'credits')
      return rest > 0n ? [{ ...deduction, quantity: rest }] : [];
    const credits = deduction.credits - back.credits;
    return rest > 0n || credits > 0n ? [{ ...deduction, quantity: rest, credits }] : [];
  });
}

/** Quota and rollover rank equally and keep the order of their use; credits and overage come after them. */
const RANKS = { quota: 0, rollover: 0, credits: 1, overage: 2 };

/** Returns one deduction per source, in the order in which sources are used. */
export function mergeDeductions(deductions: readonly Deduction[]): Deduction[] {
  const merged = new Map<string, Deduction>();
  for (const deduction of deductions) {
    const known = merged.get(targetOf(deduction));
    if (known === undefined) merged.set(targetOf(deduction), deduction);
    else merged.set(targetOf(deduction), add(known, deduction));
  }
  return [...merged.values()].sort((a, b) => RANKS[a.from] - RANKS[b.from]);
}

function add(known: Deduction, more: Deduction): Deduction {
  const quantity = known.quantity + more.quantity;
  if (known.from !== 'credits' || more.from !== 'credits') return { ...known, quantity };
  return { ...known, quantity, credits: known.credits + more.credits };
}

function targetOf(deduction: Deduction): string {
  const { from, subscriptionId, periodStart } = deduction;
  const source =
    deduction.from === 'credits'
      ? deduction.grantId
      : deduction.from === 'rollover'
        ? deduction.originStart
        : '';
  return `${from} ${subscriptionId} ${periodStart} ${source}`;
}
