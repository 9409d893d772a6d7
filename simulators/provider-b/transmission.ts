import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Persistence } from '../core/persistence';
import { isoSeconds } from './identifiers';

interface Transmission {
  auth_algo: string;
  cert_url: string;
  transmission_id: string;
  transmission_sig: string;
  transmission_time: string;
}

/** Signs transmissions, and verifies later whether they were sent. */
export interface Signer {
  /** Returns the headers of one transmission of these bytes to this webhook. @param at real time */
  sign(webhookId: string, body: Buffer, at: number): Record<string, string>;
  /** Returns whether exactly these bytes were sent with this transmission to this webhook. */
  wasSent(transmission: Transmission, webhookId: string, body: Buffer): boolean;
}

const ALGORITHM = 'SHA256withRSA';
const CERTIFICATE_URL =
  'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-5edc0ebc';

let generatedKey: string | undefined;

/** Returns the key in PEM. One for the whole process, generated on first use because that is slow. */
function generateKey(): string {
  return (generatedKey ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey);
}

export function createSigner(persistence: Persistence): Signer {
  const state: { privateKey: string | null; sent: Map<string, string> } = {
    privateKey: null,
    /** Digests of the sent bytes, by transmission: a 32-bit checksum alone would accept other bytes. */
    sent: new Map(),
  };
  persistence.keep('b.signer', state);
  // Parsing the text takes longer than signing with the key.
  let parsed: { text: string; privateKey: KeyObject; publicKey: KeyObject } | undefined;
  const keys = (): { privateKey: KeyObject; publicKey: KeyObject } => {
    const text = (state.privateKey ??= generateKey());
    if (parsed?.text !== text) {
      const privateKey = createPrivateKey(text);
      parsed = { text, privateKey, publicKey: createPublicKey(privateKey) };
    }
    return parsed;
  };
  return {
    sign: (webhookId, body, at) => {
      const id = randomUUID();
      const time = isoSeconds(at);
      state.sent.set(id, digest(body));
      return {
        'content-type': 'application/json',
        'paypal-auth-algo': ALGORITHM,
        'paypal-cert-url': CERTIFICATE_URL,
        'paypal-transmission-id': id,
        'paypal-transmission-sig': createSign('RSA-SHA256')
          .update(signedText(id, time, webhookId, body))
          .sign(keys().privateKey, 'base64'),
        'paypal-transmission-time': time,
        'user-agent': 'PayPal/AUHD-214.0-56952429',
      };
    },
    wasSent: (transmission, webhookId, body) =>
      transmission.auth_algo === ALGORITHM &&
      transmission.cert_url === CERTIFICATE_URL &&
      state.sent.get(transmission.transmission_id) === digest(body) &&
      createVerify('RSA-SHA256')
        .update(signedText(transmission.transmission_id, transmission.transmission_time, webhookId, body))
        .verify(keys().publicKey, transmission.transmission_sig, 'base64'),
  };
}

function signedText(id: string, time: string, webhookId: string, body: Buffer): string {
  return `${id}|${time}|${webhookId}|${crc32(body)}`;
}

function digest(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
