import { addressesWithPath } from '../../src/config/addresses-with-path';
import { ConfigurationError } from '../../src/config/configuration-error';
import { readCredentialKeys } from '../../src/config/credential-keys';
import { readConnectionBounds } from '../../src/config/connection-bounds';
import { readProviderUrls } from '../../src/config/provider-urls';
import { readConfig, readTogether } from '../../src/config/read-config';
import { readTemporalEndpoint, requireTemporalEndpoint } from '../../src/config/temporal-endpoint';

test.each(['', '4000', '0'])('takes the port "%s"', (port) => {
  const { TOLLGATE_CONSOLE_PORT: read } = readConfig(['TOLLGATE_CONSOLE_PORT'], {
    TOLLGATE_CONSOLE_PORT: port,
  });
  expect(read).toBe(port === '' ? 4000 : Number(port));
});

test.each([' ', 'abc', '-1', '1e3', '0x10', '80.5', '70000'])('refuses the port "%s" by name', (port) => {
  const read = (): unknown => readConfig(['TOLLGATE_CONSOLE_PORT'], { TOLLGATE_CONSOLE_PORT: port });
  expect(read).toThrow(/TOLLGATE_CONSOLE_PORT: is (not a whole number|more than 65535)$/);
});

test('says where a port comes from that Kubernetes has set for a Service named tollgate-console', () => {
  const environment = { TOLLGATE_CONSOLE_PORT: 'tcp://10.0.0.7:4000' };
  expect(() => readConfig(['TOLLGATE_CONSOLE_PORT'], environment)).toThrow(
    /TOLLGATE_CONSOLE_PORT: is what Kubernetes sets .* enableServiceLinks of the pod to false$/,
  );
});

test.each([
  'postgres://me:secret@host:5432/db',
  'postgresql:///db?host=/run/pg',
  'postgres://me:secret@/db',
  'postgres://me:se@cret%23@host/db?sslrootcert=/run/ca@1.pem',
  'postgres://me:secret@host/db?sslmode=verify-full&sslrootcert=/run/ca.pem&application_name=blue',
  'postgres://me:secret@host/db?ssl=true',
  'postgres://me:secret@host/db?sslmode=require&uselibpqcompat=true',
  'postgres://me:secret@pgbouncer:6432/db?pool_mode=session',
  'postgresql://me@%2Frun%2Fpg/db?sslmode=disable',
])('takes the database address %s', (url) => {
  expect(readConfig(['TOLLGATE_DATABASE_URL'], { TOLLGATE_DATABASE_URL: url }).TOLLGATE_DATABASE_URL).toBe(
    url,
  );
});

test.each([
  'mysql://me:secret@host/db',
  'postgres://me:secret@host:port/db',
  // Passwords that are not encoded, which would lead to the hosts "word", "me" and "secret".
  'postgres://me:secret@word#1@host/db',
  'postgres://me:12/secret@host/db',
  'postgres://me:12?secret@host/db',
  'postgres://me:pass@secret/1@host/db',
  'postgres://me:pass@secret?1@host/db',
])('refuses the database address %s by name, and does not quote it', (url) => {
  const read = (): unknown => readConfig(['TOLLGATE_DATABASE_URL'], { TOLLGATE_DATABASE_URL: url });
  expect(read).toThrow(/^(?![^]*secret)[^]*TOLLGATE_DATABASE_URL: is not/);
});

test.each([
  'sslMode=verify-full',
  'ssl_mode=verify-full',
  'connect_timeout=5&SSLROOTCERT=/run/ca.pem',
  'sslmode=',
  'sslmode=verify_full',
  'sslmode=verify-full%0A',
  'ssl=false',
  'SSL=true',
])('refuses the TLS parameters "%s", which the driver would ignore', (parameters) => {
  const url = `postgres://me:secret@host/db?${parameters}`;
  const read = (): unknown => readConfig(['TOLLGATE_DATABASE_URL'], { TOLLGATE_DATABASE_URL: url });
  expect(read).toThrow(/^(?![^]*secret)[^]*TOLLGATE_DATABASE_URL: has a TLS parameter .* verify-full/);
});

test.each(['renewals', 'billing,', 'billing-sandbox;providers-sandbox'])(
  'refuses the task queues "%s" by the name of their variable',
  (queues) => {
    const read = (): unknown => readConfig(['TOLLGATE_WORKER_QUEUES'], { TOLLGATE_WORKER_QUEUES: queues });
    expect(read).toThrow(
      /^ {2}TOLLGATE_WORKER_QUEUES: Invalid option: expected one of "billing-production"/m,
    );
  },
);

test.each([
  ['localhost:4000', 'is not an address that begins with http:// or https://'],
  [' ', 'is not an address that begins with http:// or https://'],
  ['https://billing.example.com/?page=1', 'must not have a query or a fragment, because a path follows it'],
  ['https://billing.example.com/#page', 'must not have a query or a fragment, because a path follows it'],
  ['https://me:secret@billing.example.com', 'must not have a user name or a password'],
])('refuses the public address "%s", and does not quote it', (url, message) => {
  const read = (): unknown => readConfig(['TOLLGATE_CONSOLE_URL'], { TOLLGATE_CONSOLE_URL: url });
  expect(read).toThrow(
    new ConfigurationError(
      `The configuration is incomplete or wrong (docs/configuration.md lists every variable):\n  TOLLGATE_CONSOLE_URL: ${message}`,
    ),
  );
});

test('takes a public address with a path, without its last slash', () => {
  const { TOLLGATE_CONSOLE_URL: url } = readConfig(['TOLLGATE_CONSOLE_URL'], {
    TOLLGATE_CONSOLE_URL: 'https://example.com/@billing/',
  });
  expect(url).toBe('https://example.com/@billing');
});

test.each([' '.repeat(40), `short${' '.repeat(40)}`])('blanks make no secret: "%s"', (pepper) => {
  const read = (): unknown => readConfig(['TOLLGATE_API_KEY_PEPPER'], { TOLLGATE_API_KEY_PEPPER: pepper });
  expect(read).toThrow(/TOLLGATE_API_KEY_PEPPER: needs at least 32 characters/);
});

test.each([
  ['TEMPORAL_ADDRESS', 'temporal.internal:72330', 'has a port that is more than 65535'],
  ['TEMPORAL_NAMESPACE', ' ', 'is blank, or has a blank in it'],
  ['TOLLGATE_LISTEN_HOST', ' ', 'is blank, or has a blank in it'],
  ['TOLLGATE_DATA_DIR', ' ', 'is blank'],
] as const)('refuses %s="%s", which would be found out only later', (name, value, message) => {
  expect(() => readConfig([name], { [name]: value })).toThrow(`${name}: ${message}`);
});

test('an address of Temporal without a port is refused for that, not for a port that is too large', () => {
  const read = (): unknown => readConfig(['TEMPORAL_ADDRESS'], { TEMPORAL_ADDRESS: 'temporal.internal' });
  expect(read).toThrow(/every variable\):\n {2}TEMPORAL_ADDRESS: is not host:port$/);
});

test('a task queue that is named twice is taken from once', () => {
  const { TOLLGATE_WORKER_QUEUES: queues } = readConfig(['TOLLGATE_WORKER_QUEUES'], {
    TOLLGATE_WORKER_QUEUES: 'billing,billing-sandbox, billing-sandbox',
  });
  expect(queues).toEqual(['billing-production', 'billing-sandbox']);
});

test('recognizes addresses that are not the root of a host, where the pages do not open', () => {
  const config = {
    TOLLGATE_CONSOLE_URL: 'https://billing.example.com/tollgate',
    TOLLGATE_SANDBOX_URL: 'https://sandbox.example.com/',
    TOLLGATE_PRODUCTION_URL: 'https://api.example.com:8443',
  };
  const names = Object.keys(config) as (keyof typeof config)[];
  expect(addressesWithPath(readConfig(names, config))).toEqual(['TOLLGATE_CONSOLE_URL']);
});

test('wrong variables are all named, those of Temporal, of providers and those that name a file', () => {
  const environment = {
    TEMPORAL_ADDRESS: 'temporal',
    TEMPORAL_NAMESPACE: ' ',
    TOLLGATE_PROVIDER_CALLS_AT_ONCE: '0',
    TOLLGATE_PROVIDER_CALLS_TIMEOUT_SECONDS: '60',
    TOLLGATE_PROVIDER_A_URL: 'a',
    TOLLGATE_PROVIDER_C_URL: 'c',
    TOLLGATE_API_KEY_PEPPER_FILE: '/none/pepper',
    TOLLGATE_CURSOR_SECRET_FILE: '/none/cursor',
  };
  const read = (): unknown =>
    readTogether({
      config: () =>
        readConfig(
          ['TOLLGATE_API_KEY_PEPPER', 'TOLLGATE_CURSOR_SECRET', 'TOLLGATE_SANDBOX_URL'],
          environment,
        ),
      bounds: () => readConnectionBounds(environment),
      urls: () => readProviderUrls(environment),
      temporal: () => readTemporalEndpoint(environment),
      again: () => readTemporalEndpoint(environment),
    });
  expect(read).toThrow(
    new ConfigurationError(
      [
        'The configuration is incomplete or wrong (docs/configuration.md lists every variable):',
        '  TOLLGATE_API_KEY_PEPPER_FILE cannot be read (ENOENT).',
        '  TOLLGATE_CURSOR_SECRET_FILE cannot be read (ENOENT).',
        '  TOLLGATE_SANDBOX_URL is not set',
        '  TOLLGATE_PROVIDER_CALLS_AT_ONCE: is less than 1',
        '  TOLLGATE_PROVIDER_CALLS_TIMEOUT_SECONDS: is more than 18',
        '  TOLLGATE_PROVIDER_A_URL: is not an address that begins with http:// or https://',
        '  TOLLGATE_PROVIDER_C_URL: is not an address that begins with http:// or https://',
        '  TEMPORAL_ADDRESS: is not host:port',
        '  TEMPORAL_NAMESPACE: is blank, or has a blank in it',
      ].join('\n'),
    ),
  );
});

test('what several readers miss is one error, and one error alone is unchanged', () => {
  const read = (environment: Record<string, string>): unknown =>
    readTogether({
      config: () => readConfig(['TOLLGATE_HEALTH_PORT', 'TOLLGATE_SANDBOX_URL'], environment),
      keys: () => readCredentialKeys(environment),
      temporal: () => requireTemporalEndpoint(environment),
    });
  expect(() => read({ TOLLGATE_HEALTH_PORT: 'x', TOLLGATE_CREDENTIAL_KEYS: 'key' })).toThrow(
    new ConfigurationError(
      [
        'The configuration is incomplete or wrong (docs/configuration.md lists every variable):',
        '  TOLLGATE_HEALTH_PORT: is not a whole number',
        '  TOLLGATE_SANDBOX_URL is not set',
        '  TOLLGATE_CREDENTIAL_KEYS: entry 1 is not id:key, with 32 bytes of base64 as the key.',
        '  TEMPORAL_ADDRESS is not set',
      ].join('\n'),
    ),
  );
  const complete = { TOLLGATE_SANDBOX_URL: 'http://127.0.0.1', TEMPORAL_ADDRESS: '127.0.0.1:7233' };
  expect(() => read({ ...complete, TOLLGATE_CREDENTIAL_KEYS: 'key' })).toThrow(
    new ConfigurationError(
      'TOLLGATE_CREDENTIAL_KEYS: entry 1 is not id:key, with 32 bytes of base64 as the key.',
    ),
  );
  expect(read(complete)).toMatchObject({
    config: { TOLLGATE_SANDBOX_URL: 'http://127.0.0.1' },
    keys: { keys: [] },
    temporal: { address: '127.0.0.1:7233', namespace: 'default' },
  });
});
