import { hasEnded } from './subscription-types';
import { capabilitiesOf, type CapabilityView } from './capabilities';
import type { Difference, DriftField, DriftView } from './drift';
import { TollgateError } from './errors';
import type { Instant } from './instant';
import type { ProviderCall } from './provider-work';
import { endsAt, endsWithPeriod } from './pending-cancellation';
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
  { referenceOf }: Pick<PlansAtProvider, 'referenceOf'>,
): ProviderCall[] {
  const { provider, status } = local;
  if (hasEnded(status)) {
    return fields.includes('status') ? [{ action: 'cancel' }] : [];
  }
  const calls: ProviderCall[] = [];
  const [due] = termsAtProvider(local, { referenceOf });
  const terms = fields.includes('plan') || fields.includes('seats');
  if (provider === 'provider_a' && terms) {
    const { planReference, planSlug, quantity, why } = due;
    if (planReference === null) {
      throw new TollgateError(
        'plan_not_mapped',
        `The plan "${planSlug}" has no reference at the connection.`,
      );
    }
    // A subscription on an older price keeps it if only the seats differ.
    const keepsPrice = why === 'billed' && !fields.includes('plan');
    calls.push({
      action: 'change',
      planReference,
      quantity,
      proration: 'none',
      ...(keepsPrice && { keepsPrice, unitAmount: local.unitAmount.toString() }),
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
export function requireTellable(
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
