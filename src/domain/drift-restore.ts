import { hasEnded } from './subscription-types';
import { capabilitiesOf, type CapabilityView } from './capabilities';
import type { Difference, DriftField, DriftView } from './drift';
import { TollgateError } from './errors';
import type { Instant } from './instant';
import type { ProviderCall } from './provider-work';
import { endsAt, endsWithPeriod } from './pending-cancellation';
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
  if (hasEnded(status)) {
    return fields.includes('status') ? [{ action: 'cancel' }] : [];
  }
  const calls: ProviderCall[] = [];
  const [due] = termsAtProvider(local, plans);
  const terms = fields.includes('plan') || fields.includes('seats');
  if (provider === 'provider_a' && terms) {
    const { planSlug, quantity, why } = due;
    const isOther = fields.includes('plan');
    // A subscription on an older price returns to it from another plan, and keeps it if only the seats differ.
    const own = why === 'billed' && isOther ? ownReferenceOf(local, plans) : null;
    const { planReference } = own ?? due;
    if (planReference === null) {
      throw new TollgateError(
        'plan_not_mapped',
        `The plan "${planSlug}" has no reference at the connection.`,
      );
    }
    const keepsPrice = why === 'billed' && !isOther;
    const formerReferences = own?.formerReferences ?? [];
    const unitAmount = local.unitAmount.toString();
    calls.push({
      action: 'change',
      planReference,
      quantity,
      proration: 'none',
      ...(keepsPrice && { keepsPrice, unitAmount }),
      ...(formerReferences.length > 0 && { formerReferences, unitAmount }),
    });
  }
  const ending = fields.includes('cancelAtPeriodEnd') || fields.includes('cancelAt');
  if (ending && (provider === 'provider_a' || provider === 'provider_c')) {
    if (endsAt(local) === null) calls.push({ action: 'reactivate' });
    else if (endsWithPeriod(local) && endsAt(local) === local.currentPeriodEnd)
      calls.push({ action: 'cancel' });
  }
  return calls;
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
