import type { Instant } from '../domain/instant';
import { MalformedEventError, type CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionAccess } from '../providers/connection-access';
import type { ProviderAdapter, WebhookVerdict } from '../providers/provider-adapter';
import type { RateLimitedLog } from '../telemetry/rate-limited-log';
import type { Candidate, Candidates, Found, Hints } from './candidates';
import type { CandidateRateLimit } from './candidate-rate-limit';
import type { ConnectionRef } from '../connections/connection-ref';
import { isVerifiedByProvider, type WebhookDelivery } from './delivery';
import { ORDINARY_BYTES } from './ingress-limiter';
import { LoopTurns } from './loop-turns';

/** The connection that signed a webhook, or why none was found. */
export type Finding =
  | { kind: 'verified'; connection: ConnectionRef; access: ConnectionAccess }
  | {
      kind: 'refused';
      why: 'invalid' | 'unavailable' | 'busy';
      reason: string;
      /** The only connection it can be for. */
      connection: ConnectionRef | null;
      /** Seconds. */
      retryAfter?: number;
    };

interface FinderOptions {
  candidates: Candidates;
  rateLimit: CandidateRateLimit;
  limitedLog: RateLimitedLog;
}

/**
 * Each trial hashes the whole body, once for each secret of its connection. Together, those of a few large bodies would
 * hold the event loop for as long as a second.
 */
const largeTrials = new LoopTurns();

/** Time limit for all trials of a webhook that names no connection. */
const TRIALS_MS = 5_000;

/** Also used if the connection does not exist, because an answer must not reveal which ones do. */
const NOT_VALID = 'Its signature is not valid.';

/**
 * Finds the connection that signed a webhook: only the one that its address names; otherwise those that own its
 * references; otherwise complete ones of the host's environment, within limits. The body narrows the search; only the
 * signature decides.
 */
export async function findSigningConnection(
  options: FinderOptions,
  adapter: ProviderAdapter,
  delivery: WebhookDelivery,
  now: Instant,
): Promise<Finding> {
  const { connectionId } = delivery;
  const verify: Verify = (candidate) => tryOne(options.limitedLog, { adapter, delivery, now }, candidate);
  if (connectionId !== null) {
    const found = await options.candidates.named(delivery, connectionId);
    return found.candidates.length === 0 ? refused('invalid', NOT_VALID, null) : tryEach(found, verify);
  }
  if (delivery.provider === 'provider_b' && !isVerifiedByProvider(delivery)) {
    return refused('invalid', 'It has no signature headers and names no connection.', null);
  }
  const found = await options.candidates.hinted(delivery, hintsOf(adapter, delivery));
  if (found.by === 'trial' && delivery.provider === 'provider_b') {
    const wait = await options.rateLimit.take(delivery.environment, Math.max(1, found.candidates.length));
    if (wait !== null) {
      const reason = 'Too many webhooks that name no connection are arriving.';
      return { ...refused('busy', reason, null), retryAfter: wait };
    }
  }
  return tryEach(found, verify);
}

/** Returns no hints for bytes that are not an event: they may still be signed. */
function hintsOf(adapter: ProviderAdapter, { bytes }: WebhookDelivery): Hints {
  try {
    const { references, account = null } = adapter.readEvent(bytes);
    return {
      references: storableReferences(references).slice(0, MAX_REFERENCES),
      account: account?.includes('\0') === true ? null : account,
    };
  } catch (error) {
    // A RangeError means nesting beyond the parser's recursion limit.
    if (error instanceof MalformedEventError || error instanceof RangeError) {
      return { references: [], account: null };
    }
    throw error;
  }
}

/** No provider's event names more of our objects. */
const MAX_REFERENCES = 20;

function storableReferences(references: CanonicalEvent['references']): CanonicalEvent['references'] {
  return references.filter(({ reference }) => !reference.includes('\0') && reference.isWellFormed());
}

type Trial = Candidate & { verdict: WebhookVerdict };
type Verify = (candidate: Candidate) => Promise<WebhookVerdict>;

async function tryEach({ by, candidates }: Found, verify: Verify): Promise<Finding> {
  const deadline = by === 'name' ? undefined : after(TRIALS_MS);
  const trials = await Promise.all(
    candidates.map(async (candidate): Promise<Trial> => {
      const trial = verify(candidate);
      const verdict = await (deadline === undefined ? trial : Promise.race([trial, deadline.passed]));
      return { ...candidate, verdict };
    }),
  );
  deadline?.cancel();
  const only = candidates.length === 1 ? (candidates[0]?.connection ?? null) : null;
  const signed = trials.filter((trial) => trial.verdict === 'valid');
  if (new Set(signed.map(({ connection }) => connection.scope.workspaceId)).size > 1) {
    const reason =
      'Connections of several workspaces share its signing secret, and its URL names none of them.';
    return refused('invalid', reason, null);
  }
  const [first] = signed;
  if (first?.access) return { kind: 'verified', connection: first.connection, access: first.access };
  // One trial's failure says nothing about a webhook that may belong to another connection.
  const isFor = by === 'trial' && only === null ? [] : trials;
  if (isFor.some(({ verdict }) => verdict === 'unavailable')) {
    return refused('unavailable', 'Its signature could not be verified.', only);
  }
  if (isFor.some(({ verdict }) => verdict === 'incomplete')) {
    return refused('unavailable', 'The connection lacks credentials that its verification needs.', only);
  }
  return refused('invalid', NOT_VALID, only);
}

async function tryOne(
  limitedLog: RateLimitedLog,
  { adapter, delivery, now }: { adapter: ProviderAdapter; delivery: WebhookDelivery; now: Instant },
  { connection, access }: Candidate,
): Promise<WebhookVerdict> {
  // Its credentials could not be opened; the provider will resend the webhook.
  if (access === null) return 'unavailable';
  const { bytes, headers, rawHeaders } = delivery;
  if (bytes.length > ORDINARY_BYTES) await largeTrials.take();
  try {
    return await adapter.verifyWebhook(access, { bytes, headers, rawHeaders, receivedAt: now });
  } catch (error) {
    const fields = { err: error, connectionId: connection.id };
    limitedLog.warn(`verify ${connection.id}`, fields, 'a webhook could not be verified');
    return 'unavailable';
  }
}

function after(ms: number): { passed: Promise<WebhookVerdict>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<WebhookVerdict>((resolve) => {
    timer = setTimeout(() => {
      resolve('unavailable');
    }, ms);
  });
  return {
    passed,
    cancel: () => {
      clearTimeout(timer);
    },
  };
}

function refused(
  why: 'invalid' | 'unavailable' | 'busy',
  reason: string,
  connection: ConnectionRef | null,
): Extract<Finding, { kind: 'refused' }> {
  return { kind: 'refused', why, reason, connection };
}
