import { capabilitiesOf, type CapabilityName, type CapabilityView } from '../domain/capabilities';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';

const NOT_CONNECTED = {
  available: false,
  reason: 'The payment provider of this subscription is not connected, so it cannot be asked.',
  reasonCode: 'provider_not_connected',
};

/**
 * Refuses what only a payment provider could do: the state here alone must never change for it.
 *
 * @throws TollgateError capability_unavailable with the reason `provider_not_connected`
 */
export function requireLocalBilling(name: CapabilityName, view: CapabilityView, now: Instant): void {
  if (view.provider === 'internal') return;
  throw new TollgateError('capability_unavailable', NOT_CONNECTED.reason, {
    extra: { capability: { name, ...capabilitiesOf(view, now)[name], ...NOT_CONNECTED } },
  });
}
