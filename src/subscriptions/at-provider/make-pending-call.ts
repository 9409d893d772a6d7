import type { ConnectedProvider, ConnectedProviders } from '../../connections/connected-providers';
import { hasRenewed } from '../../domain/change-at-renewal';
import { isTollgateError } from '../../domain/errors';
import type { Instant } from '../../domain/instant';
import { declinedCodeOf } from '../../domain/provider-refused';
import { mayBePrepared } from '../../domain/provider-calls';
import { returnUrlOfConnection } from '../../domain/return-origins';
import {
  mayBeInOtherAccount,
  type PendingCall,
  type ProviderCall,
  type ProviderIntent,
} from '../../domain/provider-work';
import { requireSamePrice, type PlanToSell } from '../../plan-prices/require-same-price';
import type { SubscriptionFacts } from '../../providers/canonical-event';
import type { Outcome } from '../../providers/outcome';
import { refusesCredentials } from '../../providers/refused-credentials';
import type { WorkspaceScope } from '../../tenancy/actor';
import type { BilledSubscription } from '../billed-subscription';
import type { BegunCall, ReadCall } from './begin-pending-call';
import { needsPrice, priceOfSeats } from '../priced-change';
import { callProvider, type CallsToMake } from './call-provider';
import { withOwnPrice } from './with-own-price';

export interface PendingCallOptions {
  connected: ConnectedProviders;
  /** The page that a provider sends a customer to after approval or refusal, unless the connection sets its own URL. */
  returnUrl: (environment: WorkspaceScope['environment']) => string;
}

/** Result of an attempt at a pending call. */
export interface CallsMade {
  outcome: Outcome<SubscriptionFacts>;
  /** The provider that was called; undefined if none was. */
  provider?: ConnectedProvider;
  /** The call as it was sent; undefined if this attempt sent nothing. */
  begun?: BegunCall;
}

/** One attempt at a pending call. */
interface CallAttempt {
  /** The workspace's time. */
  at: Instant;
  /** Whether it was attempted before. */
  repeated: boolean;
  /** Records that the calls are about to be sent; null if they are no longer pending. */
  begin: () => Promise<BegunCall | null>;
}

/**
 * Makes a command's recorded calls at the subscription's provider. A command that sells a plan is refused before that
 * if the provider's price is another one.
 *
 * @returns null if another attempt has resolved the command meanwhile
 */
export async function makePendingCall(
  { connected, returnUrl }: PendingCallOptions,
  scope: WorkspaceScope,
  { call: pending, seen: subscription }: ReadCall,
  attempt: CallAttempt,
): Promise<CallsMade | null> {
  const { intent } = pending;
  const { connectionId, providerReference: reference } = subscription;
  const mayBeSent = pending.tries > 0 || (pending.sent ?? attempt.repeated);
  if (connectionId === null || reference === null) {
    const reason = 'The subscription has no connection.';
    return { outcome: { kind: 'declined', code: 'not_connected', reason } };
  }
  try {
    const provider = await connected.open(scope, connectionId);
    const { settings, secretVersion } = provider.access;
    // A call that may have been sent may have taken effect, so it is not refused here.
    const sale = mayBeSent ? null : saleOf(subscription, intent);
    if (sale !== null) await requireSamePrice(provider, sale);
    const begun = await attempt.begin();
    if (begun === null) return null;
    // Workers of earlier versions do not record what they send.
    const repeated = attempt.repeated || mayBeSent || begun.wasSent;
    const outcome = await (intent.kind === 'repair' ? repairAt : callProvider)(provider, {
      reference,
      calls: pending.calls,
      key: pending.key,
      repeated,
      reason:
        intent.kind === 'cancel' ? 'Cancelled by the merchant on request.' : 'Requested by the merchant.',
      returnUrl: returnUrlOfConnection(settings, scope.environment, returnUrl(scope.environment)),
      // Whether it has renewed is the provider's to say: its clock may be ahead, and calls may arrive late.
      ...(mayBePrepared(subscription) && {
        hasRenewed: (shown: SubscriptionFacts) => hasRenewed(subscription, shown),
      }),
    });
    const queried = { secretVersion, at: attempt.at };
    return { outcome: repeated ? outcomeOfRepetition(outcome, pending, queried) : outcome, provider, begun };
  } catch (error) {
    if (!isTollgateError(error)) throw error;
    // The connection cannot be opened, or nothing is sold. This attempt sent nothing, but an earlier one may have.
    const { detail: reason } = error;
    if (mayBeSent) return { outcome: { kind: 'unknown', reason } };
    return { outcome: { kind: 'declined', code: declinedCodeOf(error), reason } };
  }
}

/** An earlier attempt may have succeeded with another key: the outcome is unknown until a key is accepted. */
function outcomeOfRepetition(
  outcome: Outcome<SubscriptionFacts>,
  pending: PendingCall,
  queried: { secretVersion: number; at: Instant },
): Outcome<SubscriptionFacts> {
  if (outcome.kind !== 'declined') return outcome;
  const isElsewhere = outcome.code === 'not_found' && mayBeInOtherAccount(pending, queried);
  return isElsewhere || refusesCredentials(outcome) ? { kind: 'unknown', reason: outcome.reason } : outcome;
}

/**
 * Makes the calls of a repair, if any, then reads the subscription once with everything that is compared. After calls,
 * values that cannot be read now are omitted.
 */
async function repairAt(
  provider: ConnectedProvider,
  making: CallsToMake,
): Promise<Outcome<SubscriptionFacts>> {
  const calls: ProviderCall[] = [];
  for (const call of making.calls) {
    const own = await withOwnPrice(provider, call);
    if (!('value' in own)) return own;
    calls.push(own.value);
  }
  const made = calls.length === 0 ? null : await callProvider(provider, { ...making, calls });
  if (made !== null && made.kind !== 'done') return made;
  const read = await provider.adapter.fetchBilledSubscription(provider.access, making.reference);
  if (!('value' in read)) return made ?? read;
  const { facts, billing } = read.value;
  return { ...read, value: { ...facts, billing } };
}

/**
 * Returns the plan that a command sells, on the terms it was validated with; the provider's price may differ by now.
 */
function saleOf(before: BilledSubscription, intent: ProviderIntent): PlanToSell | null {
  if (intent.kind !== 'change_now' && intent.kind !== 'request_change') return null;
  const { planId, planSlug, unitAmount, interval, pricing, planReference } = intent.to;
  if (!needsPrice(before, intent.to)) return null;
  const price = { amount: BigInt(unitAmount), currency: before.currency };
  const plan = { id: planId, slug: planSlug, planReference, interval, pricing, price };
  return { ...plan, ...priceOfSeats(before, plan) };
}
