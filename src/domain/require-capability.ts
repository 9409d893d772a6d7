import {
  capabilitiesOf,
  CONNECTION_DISABLED,
  RENEWAL_PREPARED,
  UNSETTLED,
  type Capabilities,
  type Capability,
  type CapabilityName,
  type CapabilityView,
} from './capabilities';
import { TollgateError } from './errors';
import type { Instant } from './instant';
import { mayHaveRenewed } from './provider-calls';

/**
 * @throws TollgateError capability_unavailable, capability_unsupported or connection_disabled, each with the capability
 * and its name
 */
export function requireCapability(name: CapabilityName, capabilities: Capabilities): void {
  const found = capabilities[name];
  if (found.available) return;
  throw new TollgateError(refusalCode(found), found.reason ?? 'The action is not available.', {
    extra: { capability: { name, ...found } },
  });
}

/** A disabled connection always has its own code, because an operator has to enable it. */
export function refusalCode({ supported, reasonCode }: Pick<Capability, 'supported' | 'reasonCode'>) {
  if (reasonCode === CONNECTION_DISABLED.reasonCode) return 'connection_disabled';
  return supported ? 'capability_unavailable' : 'capability_unsupported';
}

/**
 * Refuses a command without a capability (a withdrawal, a repair) while an earlier call is unconfirmed.
 *
 * @throws TollgateError capability_unavailable (`provider_unsettled`)
 */
export function requireNoPendingCall(view: CapabilityView, now: Instant): void {
  if (view.work?.unsettled) throw unavailable(view, now, UNSETTLED);
}

/**
 * Refuses a command that would revert a prepared price, from the boundary until the renewal has been read, because the
 * renewal was charged at that price.
 *
 * @throws TollgateError capability_unavailable (`renewal_prepared`)
 */
export function requireRenewalRead(
  view: CapabilityView & Parameters<typeof mayHaveRenewed>[0],
  now: Instant,
): void {
  if (mayHaveRenewed(view, now)) throw unavailable(view, now, RENEWAL_PREPARED);
}

function unavailable(view: CapabilityView, now: Instant, reason: typeof UNSETTLED): TollgateError {
  const capability = { name: 'planChange', ...capabilitiesOf(view, now).planChange, available: false };
  return new TollgateError('capability_unavailable', reason.reason, {
    extra: { capability: { ...capability, ...reason } },
  });
}
