import type { ConnectedProvider } from '../../connections/connected-providers';
import { RENEWAL_PREPARED } from '../../domain/capabilities';
import { callsToMake } from '../../domain/provider-calls';
import type { ProviderCall } from '../../domain/provider-work';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { Outcome } from '../../providers/outcome';

/** The calls on one subscription, as recorded in its row. */
export interface CallsToMake {
  /** The provider's id of the subscription. */
  reference: string;
  calls: readonly ProviderCall[];
  key: string;
  /** Whether an earlier attempt may have made the calls. */
  repeated: boolean;
  /** For the provider's records. */
  reason: string;
  returnUrl: string;
  /** Whether the provider has renewed. Set only for calls that may arrive after a renewal. */
  hasRenewed?: ((shown: SubscriptionFacts) => boolean) | undefined;
}

const TOO_LATE: Outcome<never> = {
  kind: 'declined',
  code: RENEWAL_PREPARED.reasonCode,
  reason: 'The renewal came first, with the scheduled change. Try again.',
};

/**
 * Makes the calls in order, each with its own idempotency key, and stops at the first failure. Each call states the
 * target, so repeating it has no second effect. A cancellation is sent even if the price before it cannot be restored
 * (because that price is inactive, for example): no renewal charges it.
 *
 * @returns the outcome of the last call made
 */
export async function callProvider(
  { adapter, access }: ConnectedProvider,
  { reference, calls, key, repeated, reason, returnUrl, hasRenewed }: CallsToMake,
): Promise<Outcome<SubscriptionFacts>> {
  let outcome: Outcome<SubscriptionFacts> | undefined;
  let remaining = calls;
  if (calls.length > 1 || hasRenewed !== undefined) {
    const shown = await adapter.fetchSubscription(access, reference);
    if (shown.kind !== 'done') return shown;
    const left = callsToMake(calls, shown.value, hasRenewed?.(shown.value));
    if (left === null) return TOO_LATE;
    remaining = left;
  }
  for (const call of remaining) {
    const sending = { key: keyOfCall(key, calls.indexOf(call)), repeated, reference };
    switch (call.action) {
      case 'cancel':
        outcome = await adapter.cancelSubscription(access, { ...sending, reason });
        break;
      case 'reactivate':
        outcome = await adapter.reactivateSubscription(access, { ...sending, reason });
        break;
      case 'change': {
        const { planReference, quantity, proration, keepsPrice, unitAmount } = call;
        const { supersedes, alsoSupersedes = [], yields } = call;
        const urls = { returnUrl, cancelUrl: returnUrl };
        outcome = await adapter.changeSubscription(access, {
          ...sending,
          ...urls,
          planReference,
          quantity,
          proration,
          keepsPrice,
          unitAmount,
          yields,
          // A preparation has one call.
          ...(supersedes !== undefined && {
            supersedes: [...alsoSupersedes, supersedes].map((one) => keyOfCall(one, 0)),
          }),
        });
        break;
      }
    }
    if (outcome.kind !== 'done' && !(outcome.kind === 'declined' && isBeforeCancellation(calls, call)))
      return outcome;
  }
  return outcome ?? adapter.fetchSubscription(access, reference);
}

function keyOfCall(key: string, index: number): string {
  return `${key}-${index}`;
}

function isBeforeCancellation(calls: readonly ProviderCall[], call: ProviderCall): boolean {
  return call.action === 'change' && calls.at(-1)?.action === 'cancel';
}
