import type { BillingAtProvider, Difference, DriftField, DriftNote, DriftView, Finding } from './drift-types';
import type { Instant } from './instant';
import { isSameInterval, priceInWords, type PriceAtProvider, type PriceSide } from './plan-price-comparison';
import { isSameInstant } from './provider-facts';
import type { BilledFacts } from './reconciled-view';
import { isNameOf, type PlansAtProvider } from './terms-at-provider';

/**
 * Compares the billing of a subscription. A subscriber from when the price was older keeps it at provider A, which is
 * not a difference; a price that neither the subscription nor its plan has had is one.
 */
export function driftOfBilling(
  local: DriftView,
  facts: BilledFacts,
  billing: BillingAtProvider,
  plans: PlansAtProvider,
  now: Instant,
): { findings: Finding[]; notes: DriftNote[] } {
  const notes = isOnOlderPrice(local, facts, billing, plans) ? [olderPrice(local, billing)] : [];
  const findings = [
    ...(notes.length > 0 ? [] : priceFindings(local, facts, billing, plans)),
    ...items(billing),
    ...trial(local, billing, now),
    ...discount(billing),
    ...pause(billing),
  ];
  return { findings, notes };
}

/**
 * Whether the provider charges a former price of the plan, under the reference that it had then. For references that
 * were replaced before former ones were stored, only the current period has the price.
 */
function isOnOlderPrice(
  local: DriftView,
  { planReference }: Pick<BilledFacts, 'planReference'>,
  { price }: BillingAtProvider,
  plans: PlansAtProvider,
): boolean {
  if (planReference === null || !price || price.amount === null || !isSameTerms(local, price)) return false;
  const { planId, unitAmount, planUnitAmount } = local;
  const { amount } = price;
  const [isNow, isNamed] = [
    planReference === plans.referenceOf(planId),
    isNameOf(plans, planId, planReference),
  ];
  if (isNow && amount === planUnitAmount.toString()) return false;
  const isFormer = plans
    .formerPricesOf(planId)
    .some((former) => former.reference === planReference && former.amount.toString() === amount);
  if (isNamed && isFormer) return true;
  if (amount !== unitAmount.toString()) return false;
  return plans.planOf(planReference) === null || (isNow && unitAmount !== planUnitAmount);
}

function isSameTerms({ currency, interval }: DriftView, price: PriceAtProvider): boolean {
  if (price.currency !== currency || price.interval === null || price.interval === 'once') return false;
  return isSameInterval(price.interval, { unit: interval, count: 1 });
}

function olderPrice(local: DriftView, { price }: BillingAtProvider): DriftNote {
  const { amount = null, currency = null } = price ?? {};
  const there = inWords(local, { amount, currency });
  const here = inWords(local, { amount: local.planUnitAmount.toString(), currency: local.currency });
  const words = `The payment provider still charges an older price, ${there}. ${local.planSlug} now costs ${here}.`;
  return { field: 'price', code: 'older_price', words };
}

function inWords({ interval, pricing }: DriftView, money: Pick<PriceSide, 'amount' | 'currency'>): string {
  return priceInWords({ ...money, interval, intervalCount: 1, pricing });
}

/** A plan that is unknown here, or a different one, is reported by `plan`; its price adds no information. */
function priceFindings(
  local: DriftView,
  { planReference }: BilledFacts,
  { price }: BillingAtProvider,
  plans: PlansAtProvider,
): Finding[] {
  if (!price || planReference === null) return [];
  const due = dueTerms(local, planReference, plans);
  if (due === null) return [];
  if (price.unverifiable !== null)
    return [{ field: 'price', code: 'not_exposed', reason: price.unverifiable.reason }];
  const found: Difference[] = [];
  const add = (field: DriftField, here: string, there: string, words: string): void =>
    void found.push({ field, local: here, provider: there, words });
  const { amount, currency, interval } = price;
  if (amount !== null && !due.amounts.some((one) => one.toString() === amount)) {
    const [first = 0n] = due.amounts;
    const here = inWords(local, { amount: first.toString(), currency: local.currency });
    const there = inWords(local, { amount, currency });
    add('price', first.toString(), amount, `It costs ${here} here; the payment provider charges ${there}.`);
  }
  if (currency !== null && currency !== local.currency) {
    const words = `It is billed in ${local.currency} here and in ${currency} at the payment provider.`;
    add('currency', local.currency, currency, words);
  }
  if (
    interval !== null &&
    (interval === 'once' || !isSameInterval(interval, { unit: due.interval, count: 1 }))
  ) {
    const there = interval === 'once' ? 'once' : `${interval.count} ${interval.unit}`;
    const words = `It is charged every ${due.interval} here, and at the payment provider: ${there}.`;
    add('interval', due.interval, there, words);
  }
  return found;
}

/** Returns what may be charged under a plan's reference; null if another plan is due, which `plan` reports. */
function dueTerms(
  { planId, unitAmount, planUnitAmount, interval, scheduled, work: { request } }: DriftView,
  planReference: string,
  plans: PlansAtProvider,
): { amounts: bigint[]; interval: DriftView['interval'] } | null {
  if (isNameOf(plans, planId, planReference)) return { amounts: [unitAmount, planUnitAmount], interval };
  for (const next of [scheduled, request]) {
    if (next !== null && planReference === plans.referenceOf(next.planId))
      return { amounts: [BigInt(next.unitAmount)], interval: next.interval };
  }
  return null;
}

function items({ otherItems = [] }: BillingAtProvider): Finding[] {
  if (otherItems.length === 0) return [];
  const named = otherItems
    .map(({ planReference, quantity }) => `${planReference} × ${quantity ?? 1}`)
    .join(', ');
  const words = `It has one plan here; the payment provider also bills: ${named}.`;
  return [{ field: 'items', local: 'none besides the plan', provider: named, words }];
}

/** Only a trial that is still running affects what is charged. */
function trial(
  { trialEnd: here }: DriftView,
  { trialEnd: there }: BillingAtProvider,
  now: Instant,
): Finding[] {
  if (there === undefined) return [];
  const running = (end: Instant | null): Instant | null => (end !== null && end > now ? end : null);
  const [ours, theirs] = [running(here), running(there)];
  if (isSameInstant(ours, theirs)) return [];
  const shown = (end: Instant | null): string => (end === null ? 'none' : new Date(end).toISOString());
  const says = (end: Instant | null): string =>
    end === null ? 'no trial runs' : `its trial ends at ${new Date(end).toISOString()}`;
  const words = `Here, ${says(ours)}; at the payment provider, ${says(theirs)}.`;
  return [{ field: 'trialEnd', local: shown(ours), provider: shown(theirs), words }];
}

function discount({ discounts = [] }: BillingAtProvider): Finding[] {
  if (discounts.length === 0) return [];
  const named = discounts.join(', ');
  const words = `It has no discount here; the payment provider applies: ${named}.`;
  return [{ field: 'discount', local: 'none', provider: named, words }];
}

function pause({ pausedCollection: paused = null }: BillingAtProvider): Finding[] {
  if (paused === null) return [];
  const words = `Its payments are collected here; the payment provider has paused collection (${paused}).`;
  return [{ field: 'pausedCollection', local: 'collects', provider: paused, words }];
}
