import { hasRenewed, pricesOfNow, withRenewal } from './change-at-renewal';
import { isShownBy, withConfirmedChange } from './confirmed-change';
import type { Instant } from './instant';
import { agreedAmount, chargedAt } from './price-of-charge';
import { periodPrice } from './proration';
import { isSamePlanAndSeats } from './same-plan-and-seats';
import { quantityAtProvider } from './provider-quantity';
import type { RequestedTerms } from './provider-work';
import type { BilledFacts, Consequence, ReconciledView } from './reconciled-view';

/**
 * Applies the renewal of a subscription at provider B whose customer has approved other terms since, when both are
 * reported together: B shows only the newer terms, and only the payment says which terms the renewal brought. Null if
 * the renewal brought the terms shown, or if the payment is inconclusive.
 */
export function withRenewalBeforeChange<V extends ReconciledView>(
  view: V,
  facts: BilledFacts,
  now: Instant,
  consequences: Consequence[],
): V | null {
  if (view.provider !== 'provider_b' || !hasRenewed(view, facts)) return null;
  const brought = broughtByRenewal(view, facts);
  if (brought === undefined) return null;
  const { planReference } = brought;
  const then = { ...facts, planReference, quantity: quantityAtProvider(brought) };
  const newConsequences: Consequence[] = [];
  const renewed = withRenewal(withConfirmedChange(view, then, newConsequences), then, now, newConsequences);
  if (renewed !== null) consequences.push(...newConsequences);
  return renewed;
}

/**
 * Returns the confirmed or requested terms whose price was paid; undefined if the price is ambiguous or matches none.
 * If B shows terms that were not requested, nothing was approved after the renewal, and a charge of the same amount has
 * another reason: a price that was raised at B, or an amount still owed for an earlier period.
 */
function broughtByRenewal(view: ReconciledView, facts: BilledFacts): RequestedTerms | undefined {
  const isChargedAt = chargedAt(view, facts);
  if (isChargedAt === null || pricesOfNow(view).some(isChargedAt)) return undefined;
  const candidates = candidatesOf(view);
  if (!candidates.some(isShownBy(facts))) return undefined;
  const [found, ...more] = candidates.filter((terms) => isChargedAt(priceOf(terms)));
  if (found === undefined || isShownBy(facts)(found)) return undefined;
  // The same terms may have been requested twice.
  return more.every((terms) => isSamePlanAndSeats(terms, found)) ? found : undefined;
}

function candidatesOf(view: ReconciledView): RequestedTerms[] {
  const {
    scheduled,
    work: { confirmed, request, dropped },
  } = view;
  const requested = [...(request === null ? [] : [request]), ...dropped];
  if (scheduled === null || confirmed === null) return requested;
  const { planReference } = confirmed;
  const price = agreedAmount(view, scheduled);
  const amounts = new Set([...(price === null ? [] : [price]), scheduled.unitAmount]);
  const agreed = [...amounts].map((amount) => ({
    ...scheduled,
    unitAmount: amount.toString(),
    planReference,
  }));
  return [...agreed, ...requested];
}

function priceOf({ unitAmount, pricing, seats }: RequestedTerms): bigint {
  return periodPrice({ unitAmount: BigInt(unitAmount), pricing, seats });
}
