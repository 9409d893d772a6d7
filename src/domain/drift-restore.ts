import { hasEnded } from './subscription-types';
import { capabilitiesOf } from './capabilities';
import type { CapabilityView } from './capability-view';
import type { Difference, DriftField, DriftView } from './drift';
import { TollgateError } from './errors';
import type { Instant } from './instant';
import type { ProviderCall } from './provider-work';
import { endsAt } from './pending-cancellation';
import { ownReferenceOf } from './kept-price';
import { termsAtProvider, type PlansAtProvider } from './terms-at-provider';

/**
 * Returns the calls that bring the provider to the local state; each call states the target. What cannot be set there
 * (amounts billed, payments, period ends) has no call.
 *
 * @param fields the fields that differ
 * @returns no calls if no call can restore any of the fields
 * @throws TollgateError plan_not_mapped
 */
export function callsToRestore(
  local: DriftView,
  fields: readonly DriftField[],
  plans: PlansAtProvider,
): ProviderCall[] {
  const { provider, status } = local;
  if (hasEnded(status)) return fields.includes('status') ? [{ action: 'cancel' }] : [];
  const [isOfTerms, isOfEnd] = [TERMS, END].map((group) => fields.some((field) => group.has(field)));
  return [
    ...(isOfTerms && provider === 'provider_a' ? [changeToTerms(local, fields.includes('plan'), plans)] : []),
    ...(isOfEnd && (provider === 'provider_a' || provider === 'provider_c') ? callsToEnd(local) : []),
  ];
}

const TERMS: ReadonlySet<DriftField> = new Set(['plan', 'seats']);
const END: ReadonlySet<DriftField> = new Set(['cancelAtPeriodEnd', 'cancelAt']);

/**
 * Returns the call that brings provider A to the local terms. A subscription on an older price returns to it from
 * another plan, and keeps it if only the seats differ.
 *
 * @throws TollgateError plan_not_mapped
 */
function changeToTerms(local: DriftView, isOtherPlan: boolean, plans: PlansAtProvider): ProviderCall {
  const [due] = termsAtProvider(local, plans);
  const isBilled = due.why === 'billed';
  const own = isBilled && isOtherPlan ? ownReferenceOf(local, plans) : null;
  const { planReference } = own ?? due;
  if (planReference === null) {
    throw new TollgateError(
      'plan_not_mapped',
      `The plan "${due.planSlug}" has no reference at the connection.`,
    );
  }
  const keepsPrice = isBilled && !isOtherPlan;
  const formerReferences = own?.formerReferences ?? [];
  const unitAmount = local.unitAmount.toString();
  return {
    action: 'change',
    planReference,
    quantity: due.quantity,
    proration: 'none',
    ...(keepsPrice && { keepsPrice, unitAmount }),
    ...(formerReferences.length > 0 && { formerReferences, unitAmount }),
  };
}

/** An end at an instant other than the period's cannot be set. */
function callsToEnd(local: DriftView): ProviderCall[] {
  const end = endsAt(local);
  if (end === null) return [{ action: 'reactivate' }];
  return end === local.currentPeriodEnd ? [{ action: 'cancel' }] : [];
}

/** @throws TollgateError capability_unsupported if no call can change what differs at the provider */
export function requireRestorable(
  local: DriftView & CapabilityView,
  differences: readonly Difference[],
  calls: readonly ProviderCall[],
  now: Instant,
): void {
  const [first] = differences;
  if (first === undefined || calls.length > 0) return;
  const reason = `${first.words} It cannot be changed at the payment provider.`;
  const name = first.field === 'seats' ? 'seatChange' : 'planChange';
  const capability = { name, ...capabilitiesOf(local, now)[name], available: false };
  throw new TollgateError('capability_unsupported', reason, {
    extra: { capability: { ...capability, supported: false, reason, reasonCode: 'provider_unsupported' } },
  });
}
