import {
  SUPPORT,
  type Capabilities,
  type Capability,
  type CapabilityName,
  type Reason,
} from './capability-support';
import type { Instant } from './instant';
import type { CapabilityView } from './capability-view';
import { mayHaveRenewed } from './provider-calls';
import { endsAt, endsWithPeriod } from './pending-cancellation';
import { paidUntil } from './subscription-access';
import { hasEnded } from './subscription-types';

export {
  CAPABILITY_NAMES,
  CAPABILITY_TIMINGS,
  type Capabilities,
  type Capability,
  type CapabilityName,
} from './capability-support';

const ENDED: Reason = { reasonCode: 'subscription_ended', reason: 'The subscription has ended.' };
const PERIOD_ENDED: Reason = {
  reasonCode: 'period_ended',
  reason: 'The subscription was cancelled and its last period has ended.',
};
const CANCELLING: Reason = {
  reasonCode: 'already_cancelling',
  reason: 'The subscription is already cancelled and ends with its current period.',
};
/** Provider C resumes only some of the renewals that were stopped, and shows which only when it is asked to. */
export const RESUME_REFUSED: Reason = {
  reasonCode: 'new_subscription_needed',
  reason: 'The payment provider does not resume this subscription. Start a new one after its end.',
};
const NOT_CANCELLING: Reason = {
  reasonCode: 'not_cancelling',
  reason: 'The subscription is not cancelled, so there is nothing to reactivate.',
};
const REFERENCE_MISSING: Reason = {
  reasonCode: 'provider_reference_missing',
  reason: 'The payment provider has not confirmed this subscription yet.',
};
export const CONNECTION_DISABLED: Reason = {
  reasonCode: 'connection_disabled',
  reason: 'The connection to the payment provider is disabled.',
};
const CHECKOUT_UNPAID: Reason = {
  reasonCode: 'checkout_incomplete',
  reason: 'The first payment has not been made yet.',
};
const PAST_DUE: Reason = {
  reasonCode: 'payment_past_due',
  reason: 'A payment is past due. Pay it, then change the subscription.',
};
export const SUSPENDED: Reason = {
  reasonCode: 'payment_past_due',
  reason:
    'Payments are suspended at the payment provider. Once they are resumed, the subscription can be changed.',
};
export const REACTIVATE_FIRST: Reason = {
  reasonCode: 'cancellation_pending',
  reason: 'The subscription ends with its current period. Reactivate it before changing it.',
};
/** Provider B names an end only for what has had its last charge, and continues nothing that ends. */
const ENDING: Reason = {
  reasonCode: 'cancellation_pending',
  reason: 'The subscription ends with its current period, so it cannot be changed.',
};
export const UNSETTLED: Reason = {
  reasonCode: 'provider_unsettled',
  reason: 'The payment provider has not confirmed the last request yet. Try again in a minute.',
};
export const RENEWAL_PREPARED: Reason = {
  reasonCode: 'renewal_prepared',
  reason: 'The next renewal is being prepared. Try again after it.',
};

/**
 * Returns what can be done with a subscription at `now`. A second cancel is answered like the first without consulting
 * this, so `cancel` of a subscription that is already cancelling is `available: false` for callers that check first.
 */
export function capabilitiesOf(view: CapabilityView, now: Instant): Capabilities {
  return {
    cancel: capability(view, 'cancel', () => obstacleToCancel(view, now)),
    reactivate: capability(view, 'reactivate', () => obstacleToReactivate(view, now)),
    planChange: capability(view, 'planChange', () => obstacleToChange(view, now)),
    seatChange: capability(view, 'seatChange', () => obstacleToChange(view, now)),
  };
}

/** Whether a cancel would change nothing, because the subscription was cancelled, or ends with its period already. */
export function isAlreadyCancelled(
  { status }: Pick<CapabilityView, 'status'>,
  { cancel }: Capabilities,
): boolean {
  return status === 'cancelled' || cancel.reasonCode === CANCELLING.reasonCode;
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

/** In a trial of local billing nothing has been charged, so a decrease need not wait for the renewal. */
function timingOfChange(
  view: CapabilityView,
  support: Pick<Capability, 'timing' | 'timings'>,
): Pick<Capability, 'timing' | 'timings'> {
  return view.provider === 'internal' && view.status === 'trialing' ? { timing: 'immediate' } : support;
}

function obstacleToCancel(view: CapabilityView, now: Instant): Reason | null {
  const ended = end(view, now);
  if (ended !== null) return ended;
  if (endsWithPeriod(view)) return CANCELLING;
  return obstacleAtProvider(view);
}

/** Returns what prevents any command from being sent to the provider. */
function obstacleAtProvider(view: CapabilityView): Reason | null {
  if (view.provider === 'internal') return null;
  if (view.status === 'incomplete') return CHECKOUT_UNPAID;
  // While the connection is disabled, an unsettled command cannot be resolved either.
  if (view.connectionDisabled === true) return CONNECTION_DISABLED;
  return view.work.unsettled ? UNSETTLED : missingReference(view);
}

function obstacleToReactivate(view: CapabilityView, now: Instant): Reason | null {
  const ended = end(view, now);
  if (ended !== null) return ended;
  if (endsAt(view) === null) return NOT_CANCELLING;
  if (view.work.resumeRefused === true) return RESUME_REFUSED;
  return obstacleAtProvider(view);
}

function obstacleToChange(view: CapabilityView, now: Instant): Reason | null {
  const ended = end(view, now);
  if (ended !== null) return ended;
  if (view.status === 'incomplete') return CHECKOUT_UNPAID;
  if (view.status === 'past_due' || isOverdue(view, now))
    return paidUntil(view, now) === null ? PAST_DUE : SUSPENDED;
  if (endsWithPeriod(view)) return 'reason' in SUPPORT[view.provider].reactivate ? ENDING : REACTIVATE_FIRST;
  return isRenewalPrepared(view, now) ? RENEWAL_PREPARED : obstacleAtProvider(view);
}

/**
 * Whether provider A has the terms of the next renewal, or may have charged a renewal by terms whose sending it did not
 * confirm. In the latter case a change would replace one that has come.
 */
function isRenewalPrepared({ provider, work, currentPeriodEnd }: CapabilityView, now: Instant): boolean {
  return work.sync?.state === 'prepared' || mayHaveRenewed({ provider, work, currentPeriodEnd }, now);
}

function end(view: CapabilityView, now: Instant): Reason | null {
  if (hasEnded(view.status)) return ENDED;
  const over = endsAt(view);
  return over !== null && now >= over ? PERIOD_ENDED : null;
}

/** Whether it is past due by the calendar, even if no job has recorded that yet. */
function isOverdue({ provider, paymentDueAt }: CapabilityView, now: Instant): boolean {
  return provider === 'internal' && paymentDueAt !== null && paymentDueAt <= now;
}

/** The provider identifies the subscription by its own id, and C issues the e-mail token with it. */
function missingReference({ providerReference }: CapabilityView): Reason | null {
  return providerReference === null || providerReference === '' ? REFERENCE_MISSING : null;
}
