import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { createAuthority } from '../support/certificates';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { startTemporalProxy, type TemporalProxy } from '../support/temporal-proxy';
import { until } from '../support/until';
import { processSettings } from '../support/process-settings';
import { startDevServer } from './installation';

const API_KEY = 'an-api-key-of-the-test';
const authority = createAuthority();
let database: TestDatabase;
let server: TemporalServer;
let directory: string;
let proxies: TemporalProxy[] = [];
let started: EntryPoint[] = [];

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tollgate-tls-'));
  [database, server] = await Promise.all([createTestDatabase(), startDevServer()]);
});
afterEach(async () => {
  for (const process of started) {
    process.kill();
    await process.exit;
  }
  for (const proxy of proxies) await proxy.stop();
  proxies = [];
  started = [];
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(directory, { recursive: true });
});

async function proxyWith(options: Parameters<typeof startTemporalProxy>[1]): Promise<TemporalProxy> {
  const proxy = await startTemporalProxy(server.address, options);
  proxies.push(proxy);
  return proxy;
}

/** Returns the environment variables of a client with a certificate of this name. */
async function withCertificate(proxy: TemporalProxy, name: string): Promise<Record<string, string>> {
  const { cert, key } = authority.issue(name);
  const file = (what: string): string => path.join(directory, `${name}.${what}`);
  await Promise.all([
    writeFile(file('pem'), cert),
    writeFile(file('key'), key),
    writeFile(file('ca'), authority.cert),
  ]);
  return {
    TEMPORAL_ADDRESS: proxy.address,
    TEMPORAL_TLS_CLIENT_CERT_PATH: file('pem'),
    TEMPORAL_TLS_CLIENT_KEY_PATH: file('key'),
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca'),
  };
}

function start(name: string, environment: Record<string, string>, args: string[] = []): EntryPoint {
  const process = new EntryPoint(
    name,
    {
      NODE_ENV: 'test',
      ...processSettings(database),
      ...environment,
    },
    { args },
  );
  started.push(process);
  return process;
}

test('worker, relay and verify show their certificate, and are let in', async () => {
  const proxy = await proxyWith({ authority, asksForCertificate: true });
  const worker = start('worker', await withCertificate(proxy, 'worker'));
  const relay = start('relay', await withCertificate(proxy, 'relay'));
  const verify = start('verify', await withCertificate(proxy, 'verify'));
  await Promise.all([worker.says(/"working"/), relay.says(/"relaying"/)]);
  expect(await verify.exit).toMatchObject({ code: 0 });
  expect(verify.output).not.toContain('Workflows are not compared');
  expect([...proxy.clients]).toEqual(expect.arrayContaining(['worker', 'relay']));
});

test('without a certificate nothing gets through', async () => {
  const proxy = await proxyWith({ authority, asksForCertificate: true });
  const { TEMPORAL_ADDRESS, TEMPORAL_TLS_SERVER_CA_CERT_PATH } = await withCertificate(proxy, 'none');
  const setup = start('temporal-setup', {
    TEMPORAL_ADDRESS: TEMPORAL_ADDRESS ?? '',
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: TEMPORAL_TLS_SERVER_CA_CERT_PATH ?? '',
  });
  expect(await setup.exit).toMatchObject({ code: 1 });
  expect(setup.output).toMatch(/^temporal:setup: Temporal has not answered \(/m);
  expect([...proxy.clients]).toEqual([]);
});

test('a key is sent with every call, and the wrong one is refused', async () => {
  const proxy = await proxyWith({ authority, apiKey: API_KEY });
  const tls = { TEMPORAL_ADDRESS: proxy.address, TEMPORAL_TLS_SERVER_CA_CERT_DATA: authority.cert };
  const file = path.join(directory, 'api-key');
  await writeFile(file, `${API_KEY}\n`);
  const right = start('temporal-setup', { ...tls, TEMPORAL_API_KEY_FILE: file });
  expect(await right.exit).toMatchObject({ code: 0 });
  const wrong = start('temporal-setup', { ...tls, TEMPORAL_API_KEY: 'another' });
  expect(await wrong.exit).toMatchObject({ code: 1 });
  expect(wrong.output).toContain('UNAUTHENTICATED');
});

test('a proxy that the environment names is not used', async () => {
  const proxy = 'http://127.0.0.1:1';
  const environment = {
    grpc_proxy: proxy,
    https_proxy: proxy,
    http_proxy: proxy,
    TEMPORAL_ADDRESS: server.address,
  };
  const setup = start('temporal-setup', environment);
  expect(await setup.exit).toMatchObject({ code: 0 });
  await start('relay', environment).says(/"relaying"/);
});

describe('temporal:setup', () => {
  test('makes a namespace with what the service needs, and finds it the next time', async () => {
    const there = { TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'billing' };
    const first = start('temporal-setup', there, ['--retention-days', '3']);
    expect((await first.exit).code).toBe(0);
    expect(first.output).toMatch(/^made +namespace billing\nmade +search attribute WorkspaceId/);
    expect(first.output).toMatch(/^made +schedules of production\nmade +schedules of sandbox$/m);
    const second = start('temporal-setup', there);
    const { code } = await second.exit;
    expect(`${String(code)}\n${second.output}`).toMatch(/^0\n(?![^]*made)/);
  });

  test('says what it lacks rights for, and what to do', async () => {
    const ask = async (forbids: RegExp, namespace: string): Promise<EntryPoint> => {
      const proxy = await proxyWith({ authority, forbids });
      const setup = start('temporal-setup', {
        TEMPORAL_ADDRESS: proxy.address,
        TEMPORAL_NAMESPACE: namespace,
        TEMPORAL_TLS_SERVER_CA_CERT_DATA: authority.cert,
      });
      expect((await setup.exit).code).toBe(1);
      return setup;
    };
    const namespace = await ask(/RegisterNamespace/, 'nowhere');
    expect(namespace.output).toContain('MISSING namespace nowhere');
    expect(namespace.output).toContain(
      'temporal operator namespace create --namespace nowhere --retention 7d',
    );
    const attributes = await ask(/OperatorService|CreateSchedule/, 'temporal-system');
    expect(attributes.output).toContain('MISSING search attribute WorkspaceId (Keyword)');
    expect(attributes.output).toContain('MISSING schedules of production');
  });

  test('does without the operator API where everything is registered, as in Temporal Cloud', async () => {
    const there = { TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'default' };
    const first = start('temporal-setup', there);
    const { code: exitCode } = await first.exit;
    expect(`${String(exitCode)}\n${first.output}`).toMatch(/^0\n/);
    const proxy = await proxyWith({ authority, forbids: /OperatorService|RegisterNamespace/ });
    const setup = start('temporal-setup', {
      TEMPORAL_ADDRESS: proxy.address,
      TEMPORAL_TLS_SERVER_CA_CERT_DATA: authority.cert,
    });
    const { code } = await setup.exit;
    expect(`${String(code)}\n${setup.output}`).toMatch(/^0\n(?![^]*MISSING)/);
  });
});

test('the api shows its certificate', async () => {
  const proxy = await proxyWith({ authority, asksForCertificate: true });
  const api = start('api', await withCertificate(proxy, 'api'));
  const [, sandbox] = await api.says(/"sandbox":(\d+)/);
  // A loaded Temporal may not answer within readiness's own deadline.
  await until(async () => {
    const answer = await fetch(`http://127.0.0.1:${sandbox ?? ''}/readyz`);
    const { status, temporal } = (await answer.json()) as { status: string; temporal: string };
    return status === 'ready' && temporal === 'reachable';
  });
  expect([...proxy.clients]).toEqual(['api']);
});
