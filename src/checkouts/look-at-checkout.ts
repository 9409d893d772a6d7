import type { ConnectedProvider } from '../connections/connected-providers';
import type { SubscriptionFacts } from '../providers/canonical-event';
import type { Outcome } from '../providers/outcome';
import type { ProviderAdapter } from '../providers/provider-adapter';
import type { CheckoutFacts, ProviderReference } from '../providers/provider-operations';

/** What a look at a checkout's provider found. */
export type Sight =
  /** It can still be paid; `failure` is why what the customer agreed to could not be taken. */
  | { kind: 'open'; failure: string | null }
  /** Nobody can pay it any more, and nobody has. */
  | { kind: 'over' }
  /** The customer has paid, or what they agreed to has been taken; `subscription` where it began one. */
  | { kind: 'paid'; facts: CheckoutFacts; subscription: SubscriptionFacts | null; adapter: ProviderAdapter }
  /** The provider did not say. */
  | { kind: 'unseen' };

/** A checkout to look at. */
export interface Looking {
  checkoutId: string;
  reference: ProviderReference;
  /** Whether money that its customer has agreed to is taken: not of a checkout that is over here. */
  take: boolean;
  /** Whether nobody is to pay it any more, unless somebody has. */
  close: boolean;
}

/** Reads a checkout back at its provider, takes what has been agreed to, and ends it there if that is wanted. */
export async function lookAtCheckout(provider: ConnectedProvider, looking: Looking): Promise<Sight> {
  const sight = await read(provider, looking);
  if (sight.kind !== 'open' || !looking.close) return sight;
  const { adapter, access } = provider;
  const sending = { key: `${looking.checkoutId}-expire`, repeated: true };
  const ended = await adapter.expireCheckout(access, looking.reference, sending);
  switch (ended.kind) {
    case 'done':
    case 'unsupported':
      return { kind: 'over' };
    case 'declined': {
      if (ended.code === 'not_found') return { kind: 'over' };
      // Paid at the very last moment, perhaps.
      const again = await read(provider, looking);
      return again.kind === 'open' ? { kind: 'unseen' } : again;
    }
    default:
      return { kind: 'unseen' };
  }
}

async function read({ adapter, access }: ConnectedProvider, looking: Looking): Promise<Sight> {
  const found = await adapter.fetchCheckout(access, looking.reference);
  // What was never agreed to, a provider may forget.
  if (found.kind === 'declined' && found.code === 'not_found') return { kind: 'over' };
  const facts = valueOf(found);
  if (facts === null) return { kind: 'unseen' };
  switch (facts.status) {
    case 'open':
      return STILL_OPEN;
    case 'expired':
      return { kind: 'over' };
    case 'approved':
      return looking.take ? capture({ adapter, access }, looking) : STILL_OPEN;
    case 'complete':
      return paid({ adapter, access }, facts);
  }
}

const STILL_OPEN: Sight = { kind: 'open', failure: null };

/** However often it is sent, it takes the money once. */
async function capture(provider: ConnectedProvider, { checkoutId, reference }: Looking): Promise<Sight> {
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
      return { kind: 'unseen' };
  }
}

async function paid({ adapter, access }: ConnectedProvider, facts: CheckoutFacts): Promise<Sight> {
  const { subscriptionReference: reference } = facts;
  if (reference === null) return { kind: 'paid', facts, subscription: null, adapter };
  const subscription = valueOf(await adapter.fetchSubscription(access, reference));
  return subscription === null ? { kind: 'unseen' } : { kind: 'paid', facts, subscription, adapter };
}

function valueOf<Value>(outcome: Outcome<Value>): Value | null {
  return outcome.kind === 'done' || outcome.kind === 'pending' ? outcome.value : null;
}
