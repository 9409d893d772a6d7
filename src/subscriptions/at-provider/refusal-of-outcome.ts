import {
  RESUME_REFUSED,
  capabilitiesOf,
  REACTIVATE_FIRST,
  RENEWAL_PREPARED,
  SUSPENDED,
  type CapabilityName,
} from '../../domain/capabilities';
import { TollgateError } from '../../domain/errors';
import type { Instant } from '../../domain/instant';
import { declinedByProvider, ENDED_AT_PROVIDER } from '../../domain/provider-refused';
import type { ProviderIntent } from '../../domain/provider-work';
import type { Outcome } from '../../providers/outcome';
import type { BilledSubscription } from '../billed-subscription';

const CAPABILITY: Record<ProviderIntent['kind'], CapabilityName> = {
  cancel: 'cancel',
  reactivate: 'reactivate',
  withdraw: 'planChange',
  change_now: 'planChange',
  request_change: 'planChange',
  repair: 'planChange',
};

/** Codes by which the provider cannot do it for this subscription at present. */
const CAPABILITY_CODES: ReadonlySet<string> = new Set([
  'email_token_missing',
  'email_token_refused',
  RESUME_REFUSED.reasonCode,
  ENDED_AT_PROVIDER,
  REACTIVATE_FIRST.reasonCode,
  RENEWAL_PREPARED.reasonCode,
  SUSPENDED.reasonCode,
]);

/** Converts a provider's refusal to the command's error. */
export function refusalOfOutcome(
  subscription: BilledSubscription,
  { kind, ...intended }: ProviderIntent,
  outcome: Extract<Outcome<unknown>, { kind: 'declined' | 'unsupported' }>,
  now: Instant,
): TollgateError {
  const seatsOnly = 'to' in intended && intended.to.planId === subscription.planId;
  const name = seatsOnly ? 'seatChange' : CAPABILITY[kind];
  const capability = { name, ...capabilitiesOf(subscription, now)[name], available: false };
  const { reason } = outcome;
  if (outcome.kind === 'unsupported') {
    const reasonCode = 'provider_unsupported';
    return new TollgateError('capability_unsupported', reason, {
      extra: { capability: { ...capability, supported: false, reason, reasonCode } },
    });
  }
  const { code } = outcome;
  // If provider C cannot find the subscription, it has no e-mail token for it either.
  const isUnresolved = subscription.provider === 'provider_c' && code === 'not_found';
  if (isUnresolved || CAPABILITY_CODES.has(code)) {
    const reasonCode = isUnresolved ? 'subscription_not_found' : code;
    return new TollgateError('capability_unavailable', reason, {
      extra: { capability: { ...capability, reason, reasonCode } },
    });
  }
  if (code === 'connection_disabled' || code === 'plan_price_differs') return new TollgateError(code, reason);
  return declinedByProvider(code, reason);
}
