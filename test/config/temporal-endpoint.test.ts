import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readTemporalEndpoint, requireTemporalEndpoint } from '../../src/config/temporal-endpoint';
import { createAuthority } from '../support/certificates';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'tollgate-temporal-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

function fileWith(name: string, text: string | Buffer): string {
  const file = path.join(directory, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const authority = createAuthority();
const client = authority.issue('api');
const ADDRESS = { TEMPORAL_ADDRESS: 'temporal.test:7233' };

test('an address alone is a server without TLS, in the namespace default', () => {
  expect(readTemporalEndpoint(ADDRESS)).toEqual({ address: 'temporal.test:7233', namespace: 'default' });
  expect(readTemporalEndpoint({})).toBeUndefined();
  expect(readTemporalEndpoint({ TEMPORAL_NAMESPACE: 'billing' })).toBeUndefined();
  expect(() => requireTemporalEndpoint({})).toThrow('TEMPORAL_ADDRESS is not set');
});

test('TLS with certificates from files, an API key from a file, and headers', () => {
  const endpoint = readTemporalEndpoint({
    ...ADDRESS,
    TEMPORAL_NAMESPACE: 'billing.a1b2c',
    TEMPORAL_TLS_CLIENT_CERT_PATH: fileWith('client.pem', client.cert),
    TEMPORAL_TLS_CLIENT_KEY_PATH: fileWith('client.key', client.key),
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: authority.cert,
    TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
    TEMPORAL_API_KEY_FILE: fileWith('api-key', 'the-key\n'),
    TEMPORAL_GRPC_META_TENANT: 'acme',
  });
  const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
  expect(endpoint).toEqual({
    address: 'temporal.test:7233',
    namespace: 'billing.a1b2c',
    apiKey: 'the-key',
    metadata: { tenant: 'acme' },
    tls: {
      serverNameOverride: 'temporal.internal',
      serverRootCACertificate: bytes(authority.cert),
      clientCertPair: { crt: bytes(client.cert), key: bytes(client.key) },
    },
  });
});

test('an API key turns TLS on', () => {
  const withKey = { ...ADDRESS, TEMPORAL_API_KEY: 'the-key' };
  expect(readTemporalEndpoint(withKey)?.tls).toBe(true);
  expect(readTemporalEndpoint({ ...withKey, TEMPORAL_TLS: 'false' })?.tls).toBe(false);
});

test('a profile gives what no variable gives', () => {
  const profiles = `
    [profile.default]
    address = "default.test:7233"
    [profile.cloud]
    address = "cloud.test:7233"
    namespace = "billing.a1b2c"
    api_key = "the-key"`;
  const file = fileWith('.config/temporalio/temporal.toml', profiles);
  const cloud = { address: 'cloud.test:7233', namespace: 'billing.a1b2c', apiKey: 'the-key', tls: true };
  expect(readTemporalEndpoint({ TEMPORAL_CONFIG_FILE: file })?.address).toBe('default.test:7233');
  expect(readTemporalEndpoint({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'cloud' })).toEqual(cloud);
  expect(readTemporalEndpoint({ HOME: directory, TEMPORAL_PROFILE: 'cloud' })).toEqual(cloud);
  const other = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'cloud', TEMPORAL_NAMESPACE: 'other' };
  expect(readTemporalEndpoint(other)?.namespace).toBe('other');
  // A file in the home directory is not read unless requested.
  expect(readTemporalEndpoint({ HOME: directory })).toBeUndefined();
});

test.each<[string, () => Record<string, string>, RegExp]>([
  [
    'an address without a port',
    () => ({ TEMPORAL_ADDRESS: 'temporal.test' }),
    /TEMPORAL_ADDRESS: is not host/,
  ],
  [
    'a key without an address',
    () => ({ TEMPORAL_API_KEY: 'the-key' }),
    /ADDRESS is not set, but TEMPORAL_API_KEY is\.$/,
  ],
  [
    'a certificate without its key',
    () => ({ ...ADDRESS, TEMPORAL_TLS_CLIENT_CERT_DATA: 'certificate' }),
    /a client certificate and its key are set together/,
  ],
  [
    'a certificate that is not there',
    () => ({ ...ADDRESS, TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/none.pem' }),
    /ENOENT.*\/none\.pem/,
  ],
  [
    'an authority that is an empty file',
    () => ({ ...ADDRESS, TEMPORAL_TLS_SERVER_CA_CERT_PATH: fileWith('ca.pem', '') }),
    /the server's authority \(TEMPORAL_TLS_SERVER_CA_CERT_…\) is no certificate/,
  ],
  [
    'a key in place of the authority, which is not quoted',
    () => ({ ...ADDRESS, TEMPORAL_TLS_SERVER_CA_CERT_DATA: client.key }),
    /^(?![^]*PRIVATE)[^]*TEMPORAL_TLS_SERVER_CA_CERT_…/,
  ],
  [
    'an authority that is not PEM',
    () => ({
      ...ADDRESS,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: fileWith('ca.der', new X509Certificate(authority.cert).raw),
    }),
    /TEMPORAL_TLS_SERVER_CA_CERT_….* is no certificate: PEM is needed/,
  ],
  [
    'a second authority that is damaged',
    () => ({
      ...ADDRESS,
      TEMPORAL_TLS_SERVER_CA_CERT_DATA: `${authority.cert}\n${authority.cert.replace('MII', 'AAA')}`,
    }),
    /TEMPORAL_TLS_SERVER_CA_CERT_….* is no certificate: /,
  ],
  [
    'a key of another certificate',
    () => ({
      ...ADDRESS,
      TEMPORAL_TLS_CLIENT_CERT_DATA: client.cert,
      TEMPORAL_TLS_CLIENT_KEY_DATA: authority.issue('api').key,
    }),
    /TEMPORAL_TLS_CLIENT_CERT_….*TEMPORAL_TLS_CLIENT_KEY_….* do not belong together: .*key values mismatch/,
  ],
  [
    'a certificate and a key in files that are empty',
    () => ({
      ...ADDRESS,
      TEMPORAL_TLS_CLIENT_CERT_PATH: fileWith('client.pem', ''),
      TEMPORAL_TLS_CLIENT_KEY_PATH: fileWith('client.key', ''),
    }),
    /TEMPORAL_TLS_CLIENT_CERT_….*are not PEM/,
  ],
  ['a switch that is neither', () => ({ ...ADDRESS, TEMPORAL_TLS: 'yes' }), /TEMPORAL_TLS: Invalid option/],
  [
    'a file that is not there',
    () => ({ TEMPORAL_CONFIG_FILE: '/none.toml' }),
    /TEMPORAL_CONFIG_FILE names a file that does not exist/,
  ],
  [
    'a profile that is not there',
    () => ({ TEMPORAL_CONFIG_FILE: fileWith('t.toml', ''), TEMPORAL_PROFILE: 'cloud' }),
    /cannot be used/,
  ],
  [
    'a file that is damaged, whose secrets are not quoted',
    () => ({ TEMPORAL_CONFIG_FILE: fileWith('t.toml', '[profile.default]\napi_key = "the-secret') }),
    /^(?![^]*the-secret)[^]*cannot be used: Invalid TOML/,
  ],
  [
    'an API key of two lines, which is not quoted',
    () => ({ ...ADDRESS, TEMPORAL_API_KEY_FILE: fileWith('two', 'the-secret\nthe-secret') }),
    /^(?![^]*the-secret)[^]*the API key has a character/,
  ],
  [
    'an API key with a byte order mark in a profile',
    () => ({
      TEMPORAL_CONFIG_FILE: fileWith('t.toml', '[profile.default]\napi_key = "\ufeffthe-secret"'),
    }),
    /^(?![^]*the-secret)[^]*the API key has a character/,
  ],
  [
    'a header that cannot be sent, which is not quoted',
    () => ({ ...ADDRESS, TEMPORAL_GRPC_META_AUTHORIZATION: 'the-secret\n' }),
    /^(?![^]*the-secret)[^]*the header "authorization"/,
  ],
])('refuses %s', (_, environment, message) => {
  expect(() => readTemporalEndpoint({ HOME: directory, ...environment() })).toThrow(message);
});
