import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ConnectionAccess } from '../connection-access';
import type { ReceivedWebhook, WebhookVerdict } from '../provider-adapter';

const SIGNATURE_HEADER = 'x-paystack-signature';
const SIGNATURE = /^[0-9a-f]{128}$/;

/**
 * Verifies the signature, the hexadecimal HMAC-SHA-512 of the body's bytes under the API's secret key. There is no
 * other secret, and the signature has no timestamp. A header that came twice is refused as ambiguous.
 */
export function verifyWebhook(
  access: ConnectionAccess,
  { bytes, rawHeaders }: Pick<ReceivedWebhook, 'bytes' | 'rawHeaders'>,
): WebhookVerdict {
  const secretKey = access.secrets['secretKey'];
  if (secretKey === undefined || secretKey === '') return 'incomplete';
  const [signature, ...more] = signaturesIn(rawHeaders);
  if (signature === undefined || more.length > 0 || !SIGNATURE.test(signature)) return 'invalid';
  const expected = createHmac('sha512', secretKey).update(bytes).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? 'valid' : 'invalid';
}

function signaturesIn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, place) => place % 2 === 1 && rawHeaders[place - 1]?.toLowerCase() === SIGNATURE_HEADER,
  );
}
