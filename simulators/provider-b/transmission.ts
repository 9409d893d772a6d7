import {
  createHash,
  createSign,
  createVerify,
  generateKeyPairSync,
  randomUUID,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isoSeconds } from './identifiers';

interface Transmission {
  auth_algo: string;
  cert_url: string;
  transmission_id: string;
  transmission_sig: string;
  transmission_time: string;
}

/** Signs what is sent, and says later whether it was sent. */
export interface Signer {
  /** The headers of one transmission of these bytes to this webhook. @param at real time */
  sign(webhookId: string, body: Buffer, at: number): Record<string, string>;
  /** True only for the bytes that went out with this transmission to this webhook. */
  wasSent(transmission: Transmission, webhookId: string, body: Buffer): boolean;
}

const ALGORITHM = 'SHA256withRSA';
const CERTIFICATE_URL =
  'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-5edc0ebc';

let keys: KeyPairKeyObjectResult | undefined;

/** One pair for the whole process, made when it is first needed. */
function signingKeys(): KeyPairKeyObjectResult {
  return (keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 }));
}

export function createSigner(): Signer {
  /** What was sent, by transmission: a checksum of 32 bits alone would let other bytes pass. */
  const sent = new Map<string, string>();
  return {
    sign: (webhookId, body, at) => {
      const id = randomUUID();
      const time = isoSeconds(at);
      sent.set(id, digest(body));
      return {
        'content-type': 'application/json',
        'paypal-auth-algo': ALGORITHM,
        'paypal-cert-url': CERTIFICATE_URL,
        'paypal-transmission-id': id,
        'paypal-transmission-sig': createSign('RSA-SHA256')
          .update(signedText(id, time, webhookId, body))
          .sign(signingKeys().privateKey, 'base64'),
        'paypal-transmission-time': time,
        'user-agent': 'PayPal/AUHD-214.0-56952429',
      };
    },
    wasSent: (transmission, webhookId, body) =>
      transmission.auth_algo === ALGORITHM &&
      transmission.cert_url === CERTIFICATE_URL &&
      sent.get(transmission.transmission_id) === digest(body) &&
      createVerify('RSA-SHA256')
        .update(signedText(transmission.transmission_id, transmission.transmission_time, webhookId, body))
        .verify(signingKeys().publicKey, transmission.transmission_sig, 'base64'),
  };
}

function signedText(id: string, time: string, webhookId: string, body: Buffer): string {
  return `${id}|${time}|${webhookId}|${crc32(body)}`;
}

function digest(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
