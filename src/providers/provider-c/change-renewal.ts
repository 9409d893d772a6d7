import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SubscriptionRequest } from '../provider-operations';
import { writeOutcome } from './client';
import { factsOf, readSubscription } from './fetch-subscription';
import { notAsked, refused } from './refusal';
import { wordsAnswer, type SubscriptionData } from './schemas';

/** Stopping a renewal, or taking that back. */
export interface RenewalChange {
  path: '/subscription/disable' | '/subscription/enable';
  /**
   * What is so of a subscription in this status: what was asked for, that it cannot be any more, or neither yet. A
   * status that is not known is `so`, and then found out to be not known.
   */
  judge: (status: string) => 'so' | 'over' | 'open';
  /** In a customer's words. */
  refusal: string;
}

const UNKNOWN_SUBSCRIPTION = 'The payment provider does not have this subscription.';

/**
 * Reads what is so, sends only when that is not what is asked for, and reads back: the provider takes no keys, and
 * answers a second sending like a wrong token. The e-mail token is read for this one use.
 */
export async function changeRenewal(
  access: ConnectionAccess,
  request: SubscriptionRequest,
  change: RenewalChange,
): Promise<Outcome<SubscriptionFacts>> {
  const code = request.reference;
  const before = await readSubscription(access, code);
  if (before.kind !== 'done') return notAsked(request, before, UNKNOWN_SUBSCRIPTION);
  const already = settle(before.value, change);
  if (already !== undefined) return already;
  const token = before.value.email_token ?? '';
  if (token === '') {
    return { kind: 'declined', code: 'email_token_missing', reason: change.refusal };
  }
  const sent = await writeOutcome(access, change.path, { code, token }, wordsAnswer);
  if (sent.kind === 'unknown') return sent;

  const after = await readSubscription(access, code);
  if (after.kind === 'unknown') return after;
  if (after.kind === 'declined') {
    return { kind: 'unknown', reason: `The state at provider C could not be read: ${after.reason}` };
  }
  const settled = settle(after.value, change);
  if (settled !== undefined) return settled;
  if (sent.kind === 'declined') return declined(sent, change);
  const facts = factsOf(after.value);
  return facts.kind === 'done' ? { kind: 'pending', value: facts.value } : facts;
}

/** Undefined while it is not so and still can be. */
function settle(data: SubscriptionData, change: RenewalChange): Outcome<SubscriptionFacts> | undefined {
  const verdict = change.judge(data.status);
  if (verdict === 'so') return factsOf(data);
  if (verdict === 'open') return undefined;
  const reason = 'The subscription has ended and cannot be renewed. Start a new one.';
  return { kind: 'declined', code: 'subscription_ended', reason };
}

/** The subscription is there: "not found" means the token. Its words name the subscription, and are left out. */
function declined(
  answer: { kind: 'declined'; code: string; reason: string },
  { refusal }: RenewalChange,
): Outcome<SubscriptionFacts> {
  if (answer.code === 'not_found') return { ...answer, code: 'email_token_refused', reason: refusal };
  return refused({ ...answer, reason: '' }, refusal);
}
