import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import { openDatabase, openPipelinedPool, type Database } from '../../src/db/pools';
import {
  DEMO_EMAIL,
  fillDemoSandbox,
  findDemoOrganization,
  makeDemo,
} from '../../src/embedded/demo/make-demo';
import type { DemoFile } from '../../src/embedded/demo/demo-file';
import { DemoNotResetError, resetDemo } from '../../src/embedded/demo/reset-demo';
import { showProvidersUnlessReset } from '../../src/embedded/demo/show-providers';
import {
  isResetUnfinished,
  markResetFinished,
  markResetUnfinished,
} from '../../src/embedded/demo/unfinished-reset';
import { newIdentifier } from '../../src/identifiers/identifier';
import { createLogger } from '../../src/telemetry/logger';
import { plantLegacy } from '../connections/connection-calls';
import { createTestAdapters } from '../support/adapters';
import { Integrator } from '../support/integrator';
import { testPassword } from '../support/operator';
import { startTestService, testSecrets, type TestService } from '../support/service';
import { createWorkspace } from '../support/workspace';

let service: TestService;
let simulators: RunningSimulators;
let api: Integrator;
let demo: DemoFile;
let database: Database;
let pipelined: ReturnType<typeof openPipelinedPool>;
let emptied: number;
let dataDirectory: string;

const reset = (changed: Partial<DemoFile> = {}): Promise<void> =>
  resetDemo({
    demo: { ...demo, ...changed },
    organizationId: demo.organizationId,
    adminUrl: service.database.adminUrl,
    onBegin: () => Promise.resolve(),
    emptySimulators: () => Promise.resolve(void (emptied += 1)),
    fillSandbox: () => fillDemoSandbox({ database, pipelined }, demo.organizationId, service.clock.now()),
  });

const count = async (table: string, where = 'true'): Promise<number> => {
  const [row] = await service.database.query<{ n: string }>(
    `SELECT count(*) AS n FROM tollgate.${table} WHERE ${where}`,
  );
  return Number(row?.n);
};

beforeAll(async () => {
  dataDirectory = await mkdtemp(path.join(tmpdir(), 'tollgate-demo-reset-'));
  simulators = await startSimulators();
  const { a, b, c } = simulators.urls;
  service = await startTestService({
    providerAdapters: createTestAdapters(),
    providerUrls: { provider_a: a, provider_b: b, provider_c: c },
  });
  const log = createLogger('test', 'silent');
  const pool = { max: 2, applicationName: 'test-demo-reset', log };
  database = openDatabase(service.database.url('tollgate_app'), pool);
  pipelined = openPipelinedPool(service.database.url('tollgate_app'), pool);
  const { clock, urls } = service;
  const made = await makeDemo({
    ...testSecrets,
    database,
    pipelined,
    urls,
    clock,
    log,
    operatorPassword: testPassword,
  });
  demo = {
    ...made,
    consoleUrl: urls.console,
    sandboxBaseUrl: urls.sandbox,
    productionBaseUrl: urls.production,
    temporalUiUrl: null,
    operator: { email: DEMO_EMAIL, password: testPassword },
    simulators: simulators.urls,
    curl: [],
  };
  api = new Integrator(urls.sandbox, demo.sandboxKey);
});
beforeEach(() => {
  emptied = 0;
});
afterAll(async () => {
  await Promise.all([database.destroy(), pipelined.end()]);
  await simulators.stop();
  await service.stop();
  await rm(dataDirectory, { recursive: true });
});

test('restores quota and clock, with the same key, and changes only the sandbox', async () => {
  const live = new Integrator(service.urls.production, demo.productionKey);
  expect((await live.send('PUT', '/v1/customers/live_customer', {})).status).toBe(201);
  expect((await api.send('PUT', '/v1/customers/of_the_visitor', {})).status).toBe(201);
  const before = await api.check('demo_acme', 'ai_tokens', 500);
  const track = { externalId: 'demo_acme', feature: 'ai_tokens', quantity: 500 };
  await api.send('POST', '/v1/usage/track', track, { 'Idempotency-Key': 'invoice-1047' });
  await service.database.query(
    `INSERT INTO tollgate.sandbox_clocks (workspace_id, environment, offset_ms, updated_at)
     VALUES ('${demo.organizationId}', 'sandbox', 5270400000, now())`,
  );
  await service.database.query(
    `INSERT INTO tollgate.portal_settings (workspace_id, environment, shows, name, colour, updated_at)
     VALUES ('${demo.organizationId}', 'sandbox', '{usage}', 'Acme', '#1d5fd1', now())`,
  );
  const [keys, connections] = [await count('api_keys'), await count('provider_connections')];

  await reset();
  expect(await count('portal_settings', `name = 'Acme'`)).toBe(1);
  const after = await api.check('demo_acme', 'ai_tokens', 500);
  expect(after.body).toMatchObject({ allowed: true, usage: before.body['usage'] });
  expect(await count('sandbox_clocks')).toBe(0);
  expect(await count('customers', `external_id = 'of_the_visitor'`)).toBe(0);
  expect((await live.send('GET', '/v1/customers/live_customer')).status).toBe(200);
  expect([await count('api_keys'), await count('provider_connections')]).toEqual([keys, connections]);
  expect(emptied).toBe(1);
  expect(await findDemoOrganization(database)).toBe(demo.organizationId);
});

test('is refused while another one is under way, which ends well', async () => {
  let second: Promise<void> | undefined;
  await resetDemo({
    demo,
    organizationId: demo.organizationId,
    adminUrl: service.database.adminUrl,
    onBegin: () => Promise.resolve(),
    emptySimulators: () => Promise.resolve(),
    fillSandbox: async () => {
      await fillDemoSandbox({ database, pipelined }, demo.organizationId, service.clock.now());
      second = reset();
      await second.catch(() => undefined);
    },
  });
  await expect(second).rejects.toThrow(
    'The demo is already being created or reset: wait until that has ended, and try again.',
  );
  expect(emptied).toBe(0);
  expect((await api.check('demo_acme', 'ai_tokens', 500)).body).toMatchObject({ allowed: true });
});

test('is refused while a start creates the customers of the providers, which a start leaves to a reset', async () => {
  // A client that accepts no login holds the start until it is stopped.
  const stopped = new AbortController();
  const held = createServer().listen(0, '127.0.0.1');
  const reached = once(held, 'connection');
  await once(held, 'listening');
  const { port } = held.address() as AddressInfo;
  const printed: string[] = [];
  const start = {
    demo: { ...demo, consoleUrl: `http://127.0.0.1:${port}` },
    adminUrl: service.database.adminUrl,
    dataDirectory,
    runsTemporal: true,
    print: (message: string) => void printed.push(message),
    stopped: stopped.signal,
  };
  const creating = showProvidersUnlessReset(start);
  await reached;
  await expect(reset()).rejects.toThrow('The demo is already being created or reset');
  expect(emptied).toBe(0);
  stopped.abort();
  await creating;

  const login = jest.fn();
  held.on('connection', login);
  await resetDemo({
    demo,
    organizationId: demo.organizationId,
    adminUrl: service.database.adminUrl,
    onBegin: () => Promise.resolve(),
    emptySimulators: () => Promise.resolve(),
    fillSandbox: async () => {
      await fillDemoSandbox({ database, pipelined }, demo.organizationId, service.clock.now());
      await showProvidersUnlessReset({ ...start, stopped: new AbortController().signal });
    },
  });
  expect([login.mock.calls, printed]).toEqual([[], []]);
  await showProvidersUnlessReset({
    ...start,
    adminUrl: 'postgres://127.0.0.1:1/x',
    stopped: new AbortController().signal,
  });
  expect(printed).toEqual([expect.stringMatching(/could not be created .* the next start tries again/)]);
  held.close();
});

test('a start after an interrupted reset says how to restore the demo, and creates nothing in it', async () => {
  const interrupted = resetDemo({
    demo,
    organizationId: demo.organizationId,
    adminUrl: service.database.adminUrl,
    onBegin: () => markResetUnfinished(dataDirectory),
    emptySimulators: () => Promise.reject(new Error('interrupted')),
    fillSandbox: () => Promise.resolve(),
  });
  await expect(interrupted).rejects.toThrow('interrupted');
  const printed: string[] = [];
  const start = {
    demo,
    adminUrl: service.database.adminUrl,
    dataDirectory,
    runsTemporal: true,
    print: (message: string) => void printed.push(message),
    stopped: new AbortController().signal,
  };
  await showProvidersUnlessReset(start);
  expect(printed).toEqual([expect.stringContaining('Run it again')]);
  expect(await count('customers', `environment = 'sandbox'`)).toBe(0);

  await reset();
  await markResetFinished(dataDirectory);
  expect(await isResetUnfinished(dataDirectory)).toBe(false);
});

test('is refused where demo.json is of another database, or another organization needs the simulators', async () => {
  await expect(reset({ organizationId: 'org_of_another_database' })).rejects.toThrow(
    /org_of_another_database, which is not the demo's .* Nothing was changed/,
  );
  const other = await createWorkspace(service.database, 'Other');
  await service.database.query(
    `INSERT INTO tollgate.sandbox_clocks (workspace_id, environment, offset_ms, updated_at)
     VALUES ('${other.workspaceId}', 'sandbox', 1, now())`,
  );
  // Without a connection, the other organization's clock has nothing to do with them.
  await reset();
  emptied = 0;
  const customers = await count('customers');
  await plantLegacy(service.database, {
    workspaceId: other.workspaceId,
    id: newIdentifier('connection'),
    settings: {},
  });
  await expect(reset()).rejects.toThrow(DemoNotResetError);
  await expect(reset()).rejects.toThrow(/Other has subscriptions there .* Nothing was changed/);
  expect([await count('customers'), emptied]).toEqual([customers, 0]);
});
