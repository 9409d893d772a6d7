import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/instant';
import type { ConnectionAccess } from '../connection-access';
import { boundEvent } from '../event-bounds';
import type { ReceivedWebhook, WebhookVerdict } from '../provider-adapter';
import { hasSecretsFor } from '../secret-fields';
import type { ProviderBClient } from './client';
import { ProviderBFailure } from './failure';
import { readInstant } from './values';

/** Each header, its member in the verification request, and the format that B allows there. */
const TRANSMISSION = [
  ['paypal-auth-algo', 'auth_algo', /^[A-Za-z0-9]{1,100}$/],
  ['paypal-cert-url', 'cert_url', /^https?:\/\/[\x21-\x7e]{1,490}$/],
  ['paypal-transmission-id', 'transmission_id', /^[\x21-\x7e]{1,50}$/],
  ['paypal-transmission-sig', 'transmission_sig', /^[\x21-\x7e]{1,500}$/],
  ['paypal-transmission-time', 'transmission_time', /^[\x21-\x7e]{1,100}$/],
] as const;

const WEBHOOK_ID = /^[A-Za-z0-9]{1,50}$/;
/** Maximum clock difference between us and B. A delivery may be old: B retries for three days, and later on request. */
const FUTURE_MS = 10 * MINUTE_MS;

const verification = z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) });

/** Asks provider B, with the connection's own credentials, whether it sent these bytes to the connection's webhook. */
export async function verifyWebhook(
  client: ProviderBClient,
  access: ConnectionAccess,
  { bytes, headers, rawHeaders, receivedAt }: ReceivedWebhook,
): Promise<WebhookVerdict> {
  const { webhookId = '' } = access.secrets;
  if (!hasSecretsFor('webhooks', 'provider_b', access) || !WEBHOOK_ID.test(webhookId)) return 'incomplete';
  const transmission = readTransmission(headers, rawHeaders);
  if (transmission === null || !isOneObject(bytes)) return 'invalid';
  const sentAt = readInstant(transmission['transmission_time'] ?? '');
  if (sentAt === null || sentAt > receivedAt + FUTURE_MS) return 'invalid';
  const question = spliced({ ...transmission, webhook_id: webhookId }, bytes);
  try {
    const path = '/v1/notifications/verify-webhook-signature';
    const { verification_status: status } = await client.post(access, path, question, verification);
    return status === 'SUCCESS' ? 'valid' : 'invalid';
  } catch (error) {
    if (!(error instanceof ProviderBFailure)) throw error;
    // 400 and 422 refer to the content sent. Any other error, wrong credentials too, says nothing about the webhook.
    return error.kind === 'refused' && (error.status === 400 || error.status === 422)
      ? 'invalid'
      : 'unavailable';
  }
}

/** Returns the five transmission headers if each came exactly once; otherwise null. */
function readTransmission(
  headers: ReceivedWebhook['headers'],
  rawHeaders: readonly string[],
): Record<string, string> | null {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const read: Record<string, string> = {};
  for (const [header, member, shape] of TRANSMISSION) {
    const value = headers[header];
    if (typeof value !== 'string' || !shape.test(value)) return null;
    if (names.filter((name) => name === header).length !== 1) return null;
    read[member] = value;
  }
  return read;
}

/**
 * Returns whether the bytes are exactly one JSON object. The bytes spliced into the request must not be able to end
 * their member early and add others. Whitespace around them would be lost on the way to B.
 */
function isOneObject(raw: Buffer): boolean {
  if (raw.at(0) !== 0x7b || raw.at(-1) !== 0x7d || !isUtf8(raw)) return false;
  try {
    boundEvent(raw);
    JSON.parse(raw.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** Builds the verification request from the original bytes: re-serialized, they would not match the signature. */
function spliced(members: Record<string, string>, raw: Buffer): Buffer {
  const head = JSON.stringify(members).slice(0, -1);
  return Buffer.concat([Buffer.from(`${head},"webhook_event":`), raw, Buffer.from('}')]);
}
