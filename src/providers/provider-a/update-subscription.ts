import type Stripe from 'stripe';
import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { carryingOut } from './asking';
import { clientFor } from './client';
import { trackedPrices } from './plan-references';
import { isReplay, isReplayedFailure } from './replay';
import { factsOfSubscription, type SubscriptionWire } from './subscription-facts';
import { subscriptionWire } from './wire';

export type Declined = Extract<Outcome<never>, { kind: 'declined' }>;

type Parameters = Stripe.SubscriptionUpdateParams | Declined;

interface SubscriptionUpdate {
  reference: string;
  key: string;
  /** Prices that are plans of ours besides the connection's plan references. */
  alsoTracked?: readonly string[];
  /** Whether it is so already. */
  isSo: (subscription: SubscriptionWire) => boolean;
  /** Told apart from the others of the key where what is sent depends on what the subscription shows. */
  variantOf?: (subscription: SubscriptionWire) => string;
  /** What is sent when it is not so; or why it cannot be done. */
  parameters: (subscription: SubscriptionWire, client: Stripe) => Promise<Parameters> | Parameters;
}

/**
 * Makes a subscription be what it is to be. It is read before anything is sent, also the first time: a key that the
 * provider has forgotten, after a day, would charge once more.
 */
export function updateSubscription(
  access: ConnectionAccess,
  update: SubscriptionUpdate,
): Promise<Outcome<SubscriptionFacts>> {
  const { reference, isSo } = update;
  const tracked = new Set([...trackedPrices(access), ...(update.alsoTracked ?? [])]);
  const done = (subscription: SubscriptionWire): Outcome<SubscriptionFacts> => ({
    kind: 'done',
    value: factsOfSubscription(subscription, tracked),
  });
  return carryingOut(async () => {
    const client = clientFor(access);
    const before = await read(client, reference);
    if (isSo(before)) return done(before);
    const parameters = await update.parameters(before, client);
    if (isRefusal(parameters)) return parameters;
    const { subscription, replayed } = await send(client, reference, parameters, keyOf(update, before));
    if (isSo(subscription)) return done(subscription);
    if (replayed !== undefined) return replayed;
    return { kind: 'unknown', reason: 'Provider A took the change, and its answer does not show it.' };
  });
}

/** The subscription as it is afterwards, and when nothing was sent but an old answer given, what that means. */
async function send(
  client: Stripe,
  reference: string,
  parameters: Stripe.SubscriptionUpdateParams,
  idempotencyKey: string,
): Promise<{ subscription: SubscriptionWire; replayed?: Declined }> {
  try {
    const answer = await client.subscriptions.update(reference, parameters, { idempotencyKey });
    if (!isReplay(answer)) return { subscription: subscriptionWire.parse(answer) };
    return { subscription: await read(client, reference), replayed: CHANGED_SINCE };
  } catch (error) {
    if (!isReplayedFailure(error)) throw error;
    return { subscription: await read(client, reference), replayed: FAILED };
  }
}

async function read(client: Stripe, reference: string): Promise<SubscriptionWire> {
  return subscriptionWire.parse(await client.subscriptions.retrieve(reference));
}

/** The provider refuses a key that comes with other parameters than before. */
function keyOf({ key, variantOf }: SubscriptionUpdate, before: SubscriptionWire): string {
  return variantOf === undefined ? key : `${key}${variantOf(before)}`;
}

function isRefusal(given: Parameters): given is Declined {
  return 'kind' in given;
}

const CHANGED_SINCE: Declined = {
  kind: 'declined',
  code: 'changed_since',
  reason: 'This was done, and has been changed at the payment provider since.',
};
const FAILED: Declined = {
  kind: 'declined',
  code: 'provider_failed',
  reason: 'The payment provider failed, and nothing was changed. Please try again.',
};
