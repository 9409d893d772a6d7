import { countInWords } from './count-in-words';
import type { Difference, DriftView, Finding, Unverifiable } from './drift-types';
import type { BilledFacts } from './reconciled-view';
import {
  isNameOf,
  seatsAtProvider,
  termsAtProvider,
  type PlansAtProvider,
  type TermsAtProvider,
} from './terms-at-provider';

/** Plan and seats are compared as a pair: the plan of one change with the seats of another matches neither. */
export function driftOfTerms(
  local: DriftView,
  facts: Pick<BilledFacts, 'planReference' | 'quantity'>,
  plans: PlansAtProvider,
): Finding[] {
  const seats = seatsAtProvider(local.provider, facts.quantity);
  const expected = termsAtProvider(local, plans);
  const isNamed = ({ planId, planReference }: TermsAtProvider): boolean =>
    planReference === facts.planReference || isNameOf(plans, planId, facts.planReference);
  const shown = (terms: TermsAtProvider): boolean =>
    isNamed(terms) && (seats === null || seats === terms.quantity);
  const unsaid: Finding[] = seats === null ? [{ field: 'seats', code: 'not_exposed', reason: NO_SEATS }] : [];
  const [due] = expected;
  const plan = facts.planReference === null ? [NO_PLAN] : [];
  if (facts.planReference !== null && expected.some(shown)) return unsaid;
  const differing = seats === null || seats === due.quantity ? [] : [seatsDiffer(due, seats)];
  const differs = isNamed(due) ? [] : planDiffers(due, facts.planReference, plans);
  return [...plan, ...differs, ...differing, ...unsaid];
}

const NO_SEATS = 'The payment provider does not report how many seats it bills.';
const NO_PLAN: Unverifiable = {
  field: 'plan',
  code: 'plan_unknown',
  reason: 'The payment provider does not report which plan it bills.',
};

/** The terms expected at the provider, in words. */
const DUE: Record<TermsAtProvider['why'], string> = {
  billed: 'Here it is on',
  prepared: 'The change prepared for the renewal is',
  confirmed: 'The customer has confirmed',
  asked: 'The customer is asked to approve',
};

function planDiffers(due: TermsAtProvider, shown: string | null, plans: PlansAtProvider): Finding[] {
  if (shown === null) return [];
  const plan = plans.planOf(shown);
  if (plan === null) {
    const reason = `The payment provider bills the plan "${shown}". No plan here has that reference.`;
    return [{ field: 'plan', code: 'plan_unknown', reason }];
  }
  const words = `${DUE[due.why]} ${due.planSlug}; the payment provider bills ${plan.slug}.`;
  return [{ field: 'plan', local: due.planSlug, provider: plan.slug, words }];
}

function seatsDiffer(due: TermsAtProvider, seats: number): Difference {
  const words = `${DUE[due.why]} ${countInWords(due.quantity, 'seat')}; the payment provider bills ${seats}.`;
  return { field: 'seats', local: due.quantity, provider: seats, words };
}
