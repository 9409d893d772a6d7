import Stripe from 'stripe';
import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import { writeOutcome } from './outcomes';
import { clientFor } from './client';
import { wholeSubscription } from './embedded-lists';
import { trackedPrices } from './plan-references';
import { isKeyOfOther, isReplay, isReplayedFailure } from './replay';
import { factsOfSubscription, isOver, type SubscriptionWire } from './subscription-facts';

export type Declined = Extract<Outcome<never>, { kind: 'declined' }>;

type Parameters = Stripe.SubscriptionUpdateParams | Declined;

/** What to send, or the outcome if nothing is to be sent. */
type Decision = Stripe.SubscriptionUpdateParams | Outcome<SubscriptionFacts>;

interface SubscriptionUpdate {
  reference: string;
  key: string;
  /** See `ChangeRequest`. */
  supersedes?: readonly string[] | undefined;
  yields?: boolean | undefined;
  /** Prices that are plans of ours in addition to the connection's plan references. */
  alsoTracked?: readonly string[];
  /** Whether the subscription already has the target state. */
  isApplied: (subscription: SubscriptionWire) => boolean;
  /** Whether it sets or clears the end, which the provider refuses while a schedule of the merchant's manages it. */
  setsEnd?: true;
  /** Appended to the key where the parameters depend on the current subscription. */
  variantOf?: (subscription: SubscriptionWire) => string;
  /** Whether it charges nothing. Only then is it sent again after a failure of the provider's own. */
  chargesNothing?: boolean;
  /** The parameters to send if the update is not applied yet, or why it cannot be applied. */
  parameters: (subscription: SubscriptionWire, client: Stripe) => Promise<Parameters> | Parameters;
}

/**
 * How many keys an update that charges nothing has. The provider repeats its own failure for a day; the next key is used
 * only after that, so that an attempt that continues late finds every key used that it may send.
 */
const KEYS_WITHOUT_CHARGE = 3;

/**
 * Updates a subscription to a target state, with one effect however often it is called. The subscription is read first,
 * even on the first attempt: the provider forgets a key after a day, and would charge again.
 */
export function updateIdempotently(
  access: ConnectionAccess,
  update: SubscriptionUpdate,
): Promise<Outcome<SubscriptionFacts>> {
  const { reference, isApplied } = update;
  const tracked = new Set([...trackedPrices(access), ...(update.alsoTracked ?? [])]);
  const done = (subscription: SubscriptionWire): Outcome<SubscriptionFacts> => ({
    kind: 'done',
    value: factsOfSubscription(subscription, tracked),
  });
  return writeOutcome(async () => {
    const client = clientFor(access);
    for (const earlier of update.supersedes ?? []) await takeKey(client, update, earlier);
    const decide = async (subscription: SubscriptionWire): Promise<Decision> =>
      isApplied(subscription) ? done(subscription) : update.parameters(subscription, client);
    const before = await read(client, reference);
    const parameters = await decide(before);
    if (isOutcome(parameters)) return parameters;
    try {
      const unreleased =
        update.setsEnd && before.schedule !== null
          ? await release(client, before.schedule, update.key)
          : null;
      if (unreleased !== null) return unreleased;
      for (const key of keysOf(update, before)) {
        const { subscription, replayed } = await send(client, reference, parameters, key);
        if (isApplied(subscription)) return done(subscription);
        if (replayed === undefined) return UNSHOWN;
        if (replayed !== FAILED) return replayed;
      }
      return FAILED;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      // It may have ended since it was read.
      const after = await read(client, reference);
      const decided = isOver(after) ? await decide(after) : null;
      if (decided !== null && isOutcome(decided)) return decided;
      throw error;
    }
  });
}

/**
 * Sends the update under the key of an earlier one, also if it is applied already. The provider refuses the earlier one
 * if it arrives later, because its parameters differ. If it arrived before, its effect shows from now on. A key that the
 * earlier one has used leaves its next one open, in case the provider failed. An update that yields leaves that one alone:
 * a later update may have taken the key, and this one continues after it.
 */
async function takeKey(
  client: Stripe,
  { reference, parameters: parametersFor, yields = false }: SubscriptionUpdate,
  key: string,
): Promise<void> {
  const parameters = await parametersFor(await read(client, reference), client);
  if (isOutcome(parameters)) return;
  try {
    for (const one of keysFrom(key, KEYS_WITHOUT_CHARGE)) {
      const { replayed } = await send(client, reference, parameters, one);
      if (replayed !== FAILED && (yields || replayed !== SENT_OTHERWISE)) return;
    }
  } catch (error) {
    // The subscription may not need the update, for example if it has a price that has become inactive since.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}

/** Returns the subscription after the update; `replayed` if the provider repeated an earlier response to the key. */
async function send(
  client: Stripe,
  reference: string,
  parameters: Stripe.SubscriptionUpdateParams,
  idempotencyKey: string,
): Promise<{ subscription: SubscriptionWire; replayed?: Declined }> {
  try {
    const answer = await client.subscriptions.update(reference, parameters, { idempotencyKey });
    if (!isReplay(answer)) return { subscription: await wholeSubscription(client, answer) };
    return { subscription: await read(client, reference), replayed: CHANGED_SINCE };
  } catch (error) {
    const replayed = isKeyOfOther(error) ? SENT_OTHERWISE : isReplayedFailure(error) ? FAILED : undefined;
    if (replayed === undefined) throw error;
    return { subscription: await read(client, reference), replayed };
  }
}

/**
 * Ends a schedule. Its subscription continues as it is, without the changes and the end that the schedule has planned.
 *
 * @returns the failure that the provider repeats for the key, if any; otherwise null
 */
async function release(client: Stripe, schedule: string, key: string): Promise<Declined | null> {
  try {
    // The next attempt may find another schedule; the provider refuses a key that it knows from another request.
    await client.subscriptionSchedules.release(
      schedule,
      {},
      { idempotencyKey: `${key}-release-${schedule}` },
    );
    return null;
  } catch (error) {
    if (isReplayedFailure(error)) return FAILED;
    throw error;
  }
}

async function read(client: Stripe, reference: string): Promise<SubscriptionWire> {
  return wholeSubscription(client, await client.subscriptions.retrieve(reference));
}

/** The provider refuses a key that is reused with different parameters. */
function keysOf({ key, variantOf, chargesNothing }: SubscriptionUpdate, before: SubscriptionWire): string[] {
  const first = variantOf === undefined ? key : `${key}${variantOf(before)}`;
  return keysFrom(first, chargesNothing === true ? KEYS_WITHOUT_CHARGE : 1);
}

function keysFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? first : `${first}-again-${index}`));
}

function isOutcome(decision: Decision): decision is Outcome<SubscriptionFacts> {
  return 'kind' in decision;
}

const UNSHOWN: Outcome<never> = {
  kind: 'unknown',
  reason: 'Provider A accepted the change, but its answer does not show it.',
};
const CHANGED_SINCE: Declined = {
  kind: 'declined',
  code: 'changed_since',
  reason: 'The change was made, but the payment provider’s subscription has been changed since.',
};
const SENT_OTHERWISE: Declined = {
  kind: 'declined',
  code: 'changed_since',
  reason:
    'The payment provider’s subscription has been changed since this was first sent, and does not show it. Try again.',
};
const FAILED: Declined = {
  kind: 'declined',
  code: 'provider_failed',
  // Not "nothing was changed": a schedule may have been released before.
  reason: 'The payment provider failed, and the change was not made. Try again.',
};
