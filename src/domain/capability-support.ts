import type { Provider } from './provider';

export const CAPABILITY_NAMES = ['cancel', 'reactivate', 'planChange', 'seatChange'] as const;
export type CapabilityName = (typeof CAPABILITY_NAMES)[number];

export const CAPABILITY_TIMINGS = [
  'immediate',
  'period_end',
  'next_renewal',
  'after_confirmation',
  'by_direction',
] as const;
/** When an action takes effect; `by_direction` if an increase and a decrease differ. */
type CapabilityTiming = (typeof CAPABILITY_TIMINGS)[number];

/** `supported` depends on the provider, `available` on the subscription's current state. */
export interface Capability {
  supported: boolean;
  available: boolean;
  /** Null if the action is not supported. */
  timing: CapabilityTiming | null;
  /** Only with `by_direction`. */
  timings?: { increase: 'immediate' | 'next_renewal'; decrease: 'immediate' | 'next_renewal' };
  /** A sentence that a customer may read; null while available. */
  reason: string | null;
  /** Stable, for programs; null while available. */
  reasonCode: string | null;
}

export type Capabilities = Record<CapabilityName, Capability>;

/** Why an action is unavailable, for people and for programs. */
export interface Reason {
  reasonCode: string;
  reason: string;
}

/** How a provider performs an action, or why it does not. */
export type Support = Pick<Capability, 'timing' | 'timings'> | Reason;

const NEW_SUBSCRIPTION_NEEDED: Reason = {
  reasonCode: 'new_subscription_needed',
  reason: 'A cancellation is final. Start a new subscription instead.',
};
const CHANGES_NOT_OFFERED: Reason = {
  reasonCode: 'change_not_offered',
  reason: 'The payment provider of this subscription does not support plan or seat changes.',
};
const BY_DIRECTION = {
  timing: 'by_direction',
  timings: { increase: 'immediate', decrease: 'next_renewal' },
} as const;

/** What each provider can do with a recurring subscription, and when it takes effect. */
export const SUPPORT: Record<Provider, Record<CapabilityName, Support>> = {
  internal: {
    cancel: { timing: 'immediate' },
    reactivate: NEW_SUBSCRIPTION_NEEDED,
    planChange: BY_DIRECTION,
    seatChange: BY_DIRECTION,
  },
  provider_a: {
    cancel: { timing: 'period_end' },
    reactivate: { timing: 'immediate' },
    planChange: BY_DIRECTION,
    seatChange: BY_DIRECTION,
  },
  provider_b: {
    cancel: { timing: 'immediate' },
    reactivate: NEW_SUBSCRIPTION_NEEDED,
    planChange: { timing: 'after_confirmation' },
    seatChange: { timing: 'after_confirmation' },
  },
  provider_c: {
    cancel: { timing: 'period_end' },
    reactivate: { timing: 'immediate' },
    planChange: CHANGES_NOT_OFFERED,
    seatChange: CHANGES_NOT_OFFERED,
  },
};

/**
 * Whether a checkout can ask for a trial of a given number of days. Provider B defines a trial in its own plan, the
 * same for every subscriber. Provider C charges when the customer pays on its page, and a subscription that begins
 * later needs a card that is already saved.
 */
export function givesTrials(provider: Provider): boolean {
  return provider === 'internal' || provider === 'provider_a';
}
