import {
  SUPPORT,
  type Capabilities,
  type Capability,
  type CapabilityName,
  type Reason,
} from './capability-support';
import { TollgateError } from './errors';
import type { Instant } from './instant';
import type { Provider, SubscriptionStatus } from './subscription-types';

export {
  CAPABILITY_NAMES,
  CAPABILITY_TIMINGS,
  type Capabilities,
  type Capability,
  type CapabilityName,
} from './capability-support';

/** What capabilities depend on. */
export interface CapabilityView {
  provider: Provider;
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  currentPeriodEnd: Instant;
  /** When the earliest open payment falls due; left out where it is not known. */
  paymentDueAt?: Instant | null;
  /** `nextCycleSync.state` is the marker of provider A's synchronizer; `providerCSubscriptionCode` names C's subscription. */
  metadata: Readonly<Record<string, unknown>>;
}

const ENDED: Reason = { reasonCode: 'subscription_ended', reason: 'The subscription has ended.' };
const PERIOD_ENDED: Reason = {
  reasonCode: 'period_ended',
  reason: 'The subscription was cancelled and its last period is over.',
};
const CANCELLING: Reason = {
  reasonCode: 'already_cancelling',
  reason: 'The subscription is cancelled already and ends with its period.',
};
const NOT_CANCELLING: Reason = {
  reasonCode: 'not_cancelling',
  reason: 'The subscription is not about to end, so there is nothing to take back.',
};
const REFERENCE_MISSING: Reason = {
  reasonCode: 'provider_reference_missing',
  reason: 'The payment provider has not confirmed this subscription yet.',
};
const CHECKOUT_UNPAID: Reason = {
  reasonCode: 'checkout_incomplete',
  reason: 'The first payment is still open.',
};
const PAST_DUE: Reason = {
  reasonCode: 'payment_past_due',
  reason: 'A payment is past due; the subscription can be changed once it is settled.',
};
const REACTIVATE_FIRST: Reason = {
  reasonCode: 'cancellation_pending',
  reason: 'The subscription ends with its period; reactivate it before changing it.',
};
const RENEWAL_PREPARED: Reason = {
  reasonCode: 'renewal_prepared',
  reason: 'The next renewal is being prepared; the subscription can be changed again after it.',
};

/**
 * What can be done with a subscription at `now`. A second cancel is answered as the first without asking here, so
 * `cancel` of what is already cancelling reads `available: false` for those who look before they act.
 */
export function capabilitiesOf(view: CapabilityView, now: Instant): Capabilities {
  return {
    cancel: capability(view, 'cancel', () => obstacleToCancel(view, now)),
    reactivate: capability(view, 'reactivate', () => obstacleToReactivate(view, now)),
    planChange: capability(view, 'planChange', () => obstacleToChange(view, now)),
    seatChange: capability(view, 'seatChange', () => obstacleToChange(view, now)),
  };
}

/** @throws TollgateError capability_unavailable or capability_unsupported, each with the capability and its name */
export function requireCapability(name: CapabilityName, capabilities: Capabilities): void {
  const found = capabilities[name];
  if (found.available) return;
  throw new TollgateError(
    found.supported ? 'capability_unavailable' : 'capability_unsupported',
    found.reason ?? 'The action cannot be done.',
    { extra: { capability: { name, ...found } } },
  );
}

function capability(view: CapabilityView, name: CapabilityName, obstacle: () => Reason | null): Capability {
  const support = SUPPORT[view.provider][name];
  if ('reason' in support) return { supported: false, available: false, timing: null, ...support };
  const found = obstacle();
  return {
    supported: true,
    available: found === null,
    ...(isChange(name) ? timingOfChange(view, support) : support),
    reason: found?.reason ?? null,
    reasonCode: found?.reasonCode ?? null,
  };
}

function isChange(name: CapabilityName): boolean {
  return name === 'planChange' || name === 'seatChange';
}

/** In a trial of local billing nothing has been charged, so a decrease need not wait either. */
function timingOfChange(
  view: CapabilityView,
  support: Pick<Capability, 'timing' | 'timings'>,
): Pick<Capability, 'timing' | 'timings'> {
  return view.provider === 'internal' && view.status === 'trialing' ? { timing: 'immediate' } : support;
}

function obstacleToCancel(view: CapabilityView, now: Instant): Reason | null {
  const ended = end(view, now);
  if (ended !== null) return ended;
  if (view.cancelAtPeriodEnd) return CANCELLING;
  return view.provider === 'provider_c' ? missingReference(view) : null;
}

function obstacleToReactivate(view: CapabilityView, now: Instant): Reason | null {
  const ended = end(view, now);
  if (ended !== null) return ended;
  if (!view.cancelAtPeriodEnd) return NOT_CANCELLING;
  return view.provider === 'provider_c' ? missingReference(view) : null;
}

function obstacleToChange(view: CapabilityView, now: Instant): Reason | null {
  const ended = end(view, now);
  if (ended !== null) return ended;
  if (view.status === 'incomplete') return CHECKOUT_UNPAID;
  if (view.status === 'past_due' || isOverdue(view, now)) return PAST_DUE;
  if (view.cancelAtPeriodEnd) return REACTIVATE_FIRST;
  return view.provider === 'provider_a' && isPrepared(view) ? RENEWAL_PREPARED : null;
}

function end(view: CapabilityView, now: Instant): Reason | null {
  if (view.status === 'cancelled' || view.status === 'expired') return ENDED;
  return view.cancelAtPeriodEnd && now >= view.currentPeriodEnd ? PERIOD_ENDED : null;
}

/** Past due by the calendar, even when nothing has run to write it down. */
function isOverdue({ provider, paymentDueAt }: CapabilityView, now: Instant): boolean {
  return provider === 'internal' && typeof paymentDueAt === 'number' && paymentDueAt <= now;
}

function isPrepared({ metadata }: CapabilityView): boolean {
  const marker = metadata['nextCycleSync'];
  return typeof marker === 'object' && marker !== null && 'state' in marker && marker.state === 'prepared';
}

/** Provider C acts on the individual subscription by its code, with which it also hands out the e-mail token. */
function missingReference({ metadata }: CapabilityView): Reason | null {
  const code = metadata['providerCSubscriptionCode'];
  return typeof code === 'string' && code !== '' ? null : REFERENCE_MISSING;
}
