import type { ConnectedProvider } from '../connections/connected-providers';
import type { SubscriptionFacts } from '../providers/canonical-event';
import type { Outcome } from '../providers/outcome';
import type { ProviderAdapter } from '../providers/provider-adapter';
import type { CheckoutFacts, ProviderReference } from '../providers/provider-operations';

/** The state of a checkout at its payment provider. */
export type CheckoutPollResult =
  /** It can still be paid; `failure` says why an approved payment could not be captured. */
  | { kind: 'open'; failure: string | null }
  /** It is unpaid, and can no longer be paid. */
  | { kind: 'over' }
  /** The customer paid, or the approved payment was captured; `subscription` is the one that it started. */
  | { kind: 'paid'; facts: CheckoutFacts; subscription: SubscriptionFacts | null; adapter: ProviderAdapter }
  /** The provider gave no answer; `refusal` says why it, or the connection, cannot be asked, if that is known. */
  | { kind: 'unknown'; refusal: string | null };

/** A checkout to poll. */
export interface CheckoutPoll {
  checkoutId: string;
  reference: ProviderReference;
  /** Version of the connection's secrets with which it was created; null if unknown. */
  secretVersion: number | null;
  /** Whether to capture a payment that the customer approved; false once the checkout has ended here. */
  take: boolean;
  /** Whether to expire it at the provider unless it is paid. */
  close: boolean;
}

/** Reads a checkout at its provider, captures an approved payment, and expires it there if `poll.close` asks for it. */
export async function pollCheckout(
  provider: ConnectedProvider,
  poll: CheckoutPoll,
): Promise<CheckoutPollResult> {
  const result = await read(provider, poll);
  if (result.kind !== 'open' || !poll.close) return result;
  const { adapter, access } = provider;
  const ended = await adapter.expireCheckout(access, poll.reference);
  switch (ended.kind) {
    case 'done':
    case 'unsupported':
      return OVER;
    case 'declined': {
      if (ended.code === 'not_found') return endsUnfound(poll, access) ? OVER : NO_ANSWER;
      // It may have been paid at the last moment.
      const again = await read(provider, poll);
      return again.kind === 'open' ? unknown(ended) : again;
    }
    default:
      return NO_ANSWER;
  }
}

async function read({ adapter, access }: ConnectedProvider, poll: CheckoutPoll): Promise<CheckoutPollResult> {
  const found = await adapter.fetchCheckout(access, poll.reference);
  if (found.kind === 'declined' && found.code === 'not_found')
    return endsUnfound(poll, access) ? OVER : NO_ANSWER;
  const facts = valueOf(found);
  if (facts === null) return unknown(found);
  switch (facts.status) {
    case 'open':
      return STILL_OPEN;
    case 'expired':
      // Provider B’s subscription may have been paid and cancelled since.
      return facts.payment?.status === 'succeeded' ? paid({ adapter, access }, facts) : OVER;
    case 'approved':
      return poll.take ? capture({ adapter, access }, poll) : STILL_OPEN;
    case 'complete':
      return paid({ adapter, access }, facts);
  }
}

/**
 * Returns whether a checkout that the provider does not find is over. It may be in another account than the one asked,
 * because the connection's secrets were changed: its customer may be about to pay there, and any page but an order's
 * may have been paid shortly before it is closed. Provider B deletes orders that were never approved, and only we can
 * capture the money of an order.
 */
function endsUnfound(
  { reference, secretVersion, close }: CheckoutPoll,
  asked: ConnectedProvider['access'],
): boolean {
  const isInAccount = secretVersion === null || secretVersion === asked.secretVersion;
  return reference.kind === 'order' ? isInAccount || close : isInAccount && close;
}

const STILL_OPEN: CheckoutPollResult = { kind: 'open', failure: null };
const OVER: CheckoutPollResult = { kind: 'over' };
const NO_ANSWER: CheckoutPollResult = { kind: 'unknown', refusal: null };

function unknown(outcome: Outcome<unknown>): CheckoutPollResult {
  return { kind: 'unknown', refusal: outcome.kind === 'declined' ? outcome.reason : null };
}

/** Captures an approved payment. Idempotent: the key is the same for every attempt. */
async function capture(
  provider: ConnectedProvider,
  { checkoutId, reference }: CheckoutPoll,
): Promise<CheckoutPollResult> {
  const { adapter, access } = provider;
  const sending = { key: `${checkoutId}-capture`, repeated: true };
  const captured = await adapter.captureCheckout(access, reference, sending);
  switch (captured.kind) {
    case 'done':
    case 'pending':
      return paid(provider, captured.value);
    case 'declined':
      return { kind: 'open', failure: captured.reason };
    case 'customer_action':
    case 'unsupported':
      return STILL_OPEN;
    case 'unknown':
      return NO_ANSWER;
  }
}

async function paid(
  { adapter, access }: ConnectedProvider,
  facts: CheckoutFacts,
): Promise<CheckoutPollResult> {
  const { subscriptionReference: reference } = facts;
  if (reference === null) return { kind: 'paid', facts, subscription: null, adapter };
  const found = await adapter.fetchSubscription(access, reference);
  const subscription = valueOf(found);
  return subscription === null ? unknown(found) : { kind: 'paid', facts, subscription, adapter };
}

function valueOf<Value>(outcome: Outcome<Value>): Value | null {
  return outcome.kind === 'done' || outcome.kind === 'pending' ? outcome.value : null;
}
