import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';

/** An X.509 certificate with its private key, both as PEM text. */
interface Certificate {
  cert: string;
  key: string;
}

/** A test's own certificate authority, made without an external program. */
export interface Authority {
  cert: string;
  /** Issues a certificate for a client, or for a TLS server at `host` (default `localhost`) and 127.0.0.1. */
  issue(commonName: string, host?: string): Certificate;
}

const OID = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
} as const;
const YEAR_MS = 365 * DAY_MS;

export function createAuthority(): Authority {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = 'Tollgate test authority';
  const extensions = [
    extension(OID.basicConstraints, sequence(Buffer.from('0101ff', 'hex'))),
    // keyCertSign
    extension(OID.keyUsage, Buffer.from('03020204', 'hex')),
  ];
  return {
    cert: certificate({ issuer: name, subject: name, key: pair.publicKey, extensions }, pair.privateKey),
    issue: (commonName, host = 'localhost') => {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const addresses = [der(0x82, Buffer.from(host)), der(0x87, Buffer.from([127, 0, 0, 1]))];
      const names = [extension(OID.subjectAltName, sequence(...addresses))];
      const of = { issuer: name, subject: commonName, key: own.publicKey, extensions: names };
      return {
        cert: certificate(of, pair.privateKey),
        key: String(own.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      };
    },
  };
}

function certificate(
  of: { issuer: string; subject: string; key: KeyObject; extensions: Buffer[] },
  signer: KeyObject,
): string {
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const now = Date.now();
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(of.issuer),
    sequence(time(now - YEAR_MS), time(now + YEAR_MS)),
    nameOf(of.subject),
    of.key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...of.extensions)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', content, signer)]);
  const text = sequence(content, algorithm, der(0x03, signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${(text.match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Encodes one element in ASN.1's distinguished encoding (DER). */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function nameOf(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from(commonName)))));
}

/** Encodes a critical extension, because an authority's extensions must be critical. */
function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), Buffer.from('0101ff', 'hex'), der(0x04, value));
}

function time(at: number): Buffer {
  const text = new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(text));
}
