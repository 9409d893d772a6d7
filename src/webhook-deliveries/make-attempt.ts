import { createHash } from 'node:crypto';
import type { Clock } from '../clock/system-clock';
import { outcomeOf } from '../domain/webhook-outcome';
import { nextAttemptAt, readRetryAfter } from '../domain/webhook-schedule';
import { newIdentifier } from '../identifiers/identifier';
import type { RenderMessage } from '../webhook-messages/render-message';
import { answerText } from './answer-text';
import type { DelivererMetrics } from './deliverer-metrics';
import type { OpenSecrets } from './opened-secrets';
import type { ClaimedDelivery, OutgoingEndpoint } from './outgoing-store';
import type { Finished } from './record-results';
import type { Answered, SendAttempt } from './send-attempt';
import { signedHeaders } from './signature';

export interface AttemptDependencies {
  openSecrets: OpenSecrets;
  clock: Clock;
  send: SendAttempt;
  render: RenderMessage;
  /** At least 0, less than 1. Spreads the retries of deliveries that failed together. */
  random: () => number;
  metrics: DelivererMetrics;
}

/** Sends a claimed delivery once. It never throws. */
export async function makeAttempt(
  dependencies: AttemptDependencies,
  delivery: ClaimedDelivery,
  endpoint: OutgoingEndpoint,
): Promise<Finished> {
  const { clock, metrics } = dependencies;
  const begun = clock.now();
  const answered = await sendOnce(dependencies, delivery, endpoint);
  const ended = clock.now();
  const durationMs = Math.max(0, ended - begun);
  const outcome = outcomeOf(answered.statusCode);
  metrics.attempt(answered.isOurs ? 'not_sent' : outcome, durationMs);
  const attempts = delivery.attempts + 1;
  const retryAfterMs = readRetryAfter(answered.retryAfter, ended);
  const again = nextAttemptAt({ attempts, failedAt: ended, retryAfterMs }, dependencies.random());
  const next = outcome === 'failed' ? again : null;
  const { statusCode, error, answer, sentHash } = answered;
  return {
    result: {
      endpointId: delivery.endpointId,
      messageId: delivery.messageId,
      lease: delivery.lease,
      attempts,
      status: outcome === 'delivered' ? 'delivered' : next === null ? 'failed' : 'pending',
      nextAttemptAt: next,
      endedAt: next === null ? ended : null,
      attemptId: newIdentifier('webhookAttempt'),
      attemptedAt: begun,
      durationMs,
      statusCode,
      error,
      answer,
      sentHash,
    },
    tried: answered.isOurs ? null : { at: ended, outcome, url: endpoint.url },
    again: outcome === 'delivered' ? null : again,
    wasFailing: endpoint.failingSince !== null,
  };
}

/** Sends the message. `isOurs`: nothing was sent, and the receiver is not at fault. */
async function sendOnce(
  { openSecrets, clock, send, render }: AttemptDependencies,
  delivery: ClaimedDelivery,
  endpoint: OutgoingEndpoint,
): Promise<Answered & { isOurs: boolean; sentHash: string | null }> {
  const { workspaceId, environment, messageId } = delivery;
  const scope = { workspaceId, environment };
  let ready: { text: string; headers: Record<string, string> };
  try {
    const text = delivery.payload ?? (await render(scope, messageId));
    const now = clock.now();
    const secrets = openSecrets(scope, endpoint.id, endpoint.secrets, now);
    ready = { text, headers: signedHeaders(secrets, { messageId, payload: text }, now) };
  } catch (error) {
    // Cutting within a character would leave text that Postgres rejects.
    const why = error instanceof Error ? answerText(Buffer.from(error.message.slice(0, 200))) : 'unknown';
    return {
      statusCode: null,
      answer: null,
      retryAfter: undefined,
      isOurs: true,
      sentHash: null,
      error: `The message could not be created: ${why}`,
    };
  }
  const message = { url: endpoint.url, environment, headers: ready.headers, payload: ready.text };
  const sentHash = createHash('sha256').update(ready.text).digest('hex');
  return { ...(await send(message)), isOurs: false, sentHash };
}
