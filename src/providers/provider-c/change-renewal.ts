import { RESUME_REFUSED } from '../../domain/capabilities';
import { ENDED_AT_PROVIDER } from '../../domain/provider-refused';
import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SubscriptionRequest } from '../provider-operations';
import { writeOutcome } from './client';
import { factsOf, readSubscription } from './fetch-subscription';
import { notAsked, refused } from './refusal';
import { wordsAnswer, type SubscriptionData } from './schemas';

/** Stopping a renewal, or resuming it. */
export interface RenewalChange {
  path: '/subscription/disable' | '/subscription/enable';
  /**
   * Compares a subscription's status with the target state: `reached`; `unreachable`, it can no longer be reached;
   * `open`, neither yet. An unknown status is `reached`, and is then reported as unknown.
   */
  judge: (status: string) => 'reached' | 'unreachable' | 'open';
  /** For customers. */
  refusal: string;
}

const UNKNOWN_SUBSCRIPTION = 'The payment provider does not have this subscription.';

/**
 * Reads the current state, sends the change only if needed, and reads the state back. The provider takes no idempotency
 * keys, and answers a second request as if the token were wrong. The e-mail token is read for this one use.
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

/** Returns the outcome; undefined if the target state does not exist yet but can still be reached. */
function settle(data: SubscriptionData, change: RenewalChange): Outcome<SubscriptionFacts> | undefined {
  const verdict = change.judge(data.status);
  if (verdict === 'reached') return factsOf(data);
  if (verdict === 'open') return undefined;
  // Provider C completes a subscription with its last charge, whose period may still be running.
  const reason = 'The subscription cannot be renewed any more. Start a new one after its end.';
  return { kind: 'declined', code: ENDED_AT_PROVIDER, reason };
}

/** The provider has no code of its own for a renewal that it does not resume; only its message says so. */
const NOT_RESUMED = /cannot be reactivated/i;

/** Translates a refusal. "Not found" means the token; the provider's message names the subscription and is omitted. */
function declined(
  answer: { kind: 'declined'; code: string; reason: string },
  { refusal }: RenewalChange,
): Outcome<SubscriptionFacts> {
  if (NOT_RESUMED.test(answer.reason)) {
    const { reasonCode: code, reason } = RESUME_REFUSED;
    return { kind: 'declined', code, reason };
  }
  if (answer.code === 'not_found') return { ...answer, code: 'email_token_refused', reason: refusal };
  return refused({ ...answer, reason: '' }, refusal);
}
