import {
  capabilitiesOf,
  CONNECTION_DISABLED,
  UNSETTLED,
  type Capabilities,
  type Capability,
  type CapabilityName,
} from './capabilities';
import type { CapabilityView } from './capability-view';
import { TollgateError } from './errors';
import type { Instant } from './instant';

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
  if (!view.work.unsettled) return;
  const capability = { name: 'planChange', ...capabilitiesOf(view, now).planChange, available: false };
  throw new TollgateError('capability_unavailable', UNSETTLED.reason, {
    extra: { capability: { ...capability, ...UNSETTLED } },
  });
}
