import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../../domain/instant';
import type { ProviderAdapter } from '../provider-adapter';
import { MOST_WEBHOOK_SECRETS } from '../secret-fields';

/** Maximum difference between a signature's time and real time, in either direction. */
const TOLERANCE_MS = 300_000;
/** A header from the provider has one or a few signatures; a longer one is not from the provider. */
const HEADER_LENGTH = 2_048;
const TIME = /^\d{1,12}$/;
const SIGNATURE = /^[0-9a-f]{64}$/i;

/** Verifies a webhook's signature. During a rotation, the connection has several secrets, separated by commas. */
export const verifyWebhook: ProviderAdapter['verifyWebhook'] = (
  { secrets },
  { bytes, headers, rawHeaders, receivedAt },
) => {
  const signing = (secrets['webhookSecret'] ?? '').split(',').map((secret) => secret.trim());
  // A value stored by an earlier version, or moved by the migration, may hold more.
  const usable = signing.filter((secret) => secret !== '').slice(0, MOST_WEBHOOK_SECRETS);
  if (usable.length === 0) return Promise.resolve('incomplete');
  const header = singleHeader('stripe-signature', headers, rawHeaders);
  const valid = header !== undefined && isSignatureValid(bytes, header, usable, receivedAt);
  return Promise.resolve(valid ? 'valid' : 'invalid');
};

/**
 * Returns whether `header` (`t=<seconds>,v1=<hex>[,v1=…]`) signs these bytes with one of the secrets, near `now`. Any
 * signature may match any secret, since both are duplicated during a secret rotation. The comparison takes constant
 * time.
 *
 * The provider's own library only rejects old timestamps; this rejects future ones too.
 */
function isSignatureValid(bytes: Buffer, header: string, secrets: readonly string[], now: Instant): boolean {
  const read = readHeader(header);
  if (read === undefined || Math.abs(now - Number(read.time) * 1000) > TOLERANCE_MS) return false;
  let matches = 0;
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${read.time}.`).update(bytes).digest();
    for (const signature of read.signatures) matches += Number(timingSafeEqual(expected, signature));
  }
  return matches > 0;
}

/** Returns the single value of the header; undefined if it is absent or was sent more than once. */
function singleHeader(
  name: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  rawHeaders: readonly string[],
): string | undefined {
  const times = rawHeaders.filter((entry, index) => index % 2 === 0 && entry.toLowerCase() === name).length;
  const value = headers[name];
  return times > 1 || typeof value !== 'string' ? undefined : value;
}

function readHeader(header: string): { time: string; signatures: Buffer[] } | undefined {
  if (header.length > HEADER_LENGTH) return undefined;
  const parts = header.split(',').map((part) => {
    const [scheme = '', ...value] = part.split('=');
    return { scheme, value: value.join('=') };
  });
  const times = parts.filter(({ scheme }) => scheme === 't');
  const [time] = times;
  // Two headers joined into one contain two times.
  if (times.length !== 1 || time === undefined || !TIME.test(time.value)) return undefined;
  const signatures = parts
    .filter(({ scheme, value }) => scheme === 'v1' && SIGNATURE.test(value))
    .map(({ value }) => Buffer.from(value, 'hex'));
  return { time: time.value, signatures };
}
