import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CatalogueSeeder } from '../support/catalogue';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { Integrator } from '../support/integrator';
import { processSettings } from '../support/process-settings';
import { until } from '../support/until';
import { createWorkspace } from '../support/workspace';
import { listenLocally } from '../support/listen-locally';

describe('the api process', () => {
  let database: TestDatabase;
  const started: EntryPoint[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const api of started.splice(0)) {
      api.kill();
      await api.exit;
    }
  });
  afterAll(() => database.drop());

  function environment(): Record<string, string> {
    return { ...processSettings(database), TOLLGATE_DRAIN_SECONDS: '0' };
  }
  function start(overrides: Record<string, string> = {}, ipc = false): EntryPoint {
    const api = new EntryPoint('api', { ...environment(), ...overrides }, { ipc });
    started.push(api);
    return api;
  }
  async function sandboxUrl(api: EntryPoint): Promise<string> {
    const [, port] = await api.says(/"sandbox":(\d+)/);
    return `http://127.0.0.1:${port ?? ''}`;
  }

  test('its secrets may come from files', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'tollgate-secrets-'));
    try {
      const variables = Object.entries(environment());
      const names = ['TOLLGATE_DATABASE_URL', 'TOLLGATE_API_KEY_PEPPER', 'TOLLGATE_CURSOR_SECRET'];
      const inFiles = await Promise.all(
        variables.map(async ([name, value]): Promise<[string, string]> => {
          if (!names.includes(name)) return [name, value];
          const file = path.join(directory, name);
          await writeFile(file, `${value}\n`);
          return [`${name}_FILE`, file];
        }),
      );
      const api = new EntryPoint('api', Object.fromEntries(inFiles));
      started.push(api);
      const url = await sandboxUrl(api);
      // A loaded Postgres may not answer within readiness's own deadline.
      await until(async () => (await fetch(`${url}/readyz`)).status === 200);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test('it names a variable that is misspelt, never its value, and starts', async () => {
    const api = start({ TOLLGATE_TRUSTED_PROXY: 'value-of-it' });
    await api.says(
      /^api: TOLLGATE_TRUSTED_PROXY is set and is no setting.* Is TOLLGATE_TRUSTED_PROXIES meant\?$/m,
    );
    await sandboxUrl(api);
    expect(api.output).not.toContain('value-of-it');
  });

  test('it warns of a public address with a path, under which no page opens', async () => {
    const api = start({ TOLLGATE_CONSOLE_URL: 'https://billing.example.com/tollgate' });
    await api.says(/"setting":"TOLLGATE_CONSOLE_URL","msg":"this address has a path/);
    await sandboxUrl(api);
    expect(api.output).not.toContain('"setting":"TOLLGATE_SANDBOX_URL"');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s under load: what was accepted is answered and stored, then it exits 0',
    async (signal) => {
      const workspace = await createWorkspace(database);
      const seed = new CatalogueSeeder(database, workspace.sandbox);
      await seed.subscription(
        await seed.customer('acct_1'),
        await seed.plan('pro', [{ feature: 'ai_tokens', quota: null }]),
      );
      const api = start();
      const integrator = new Integrator(await sandboxUrl(api), workspace.sandboxKey);
      await integrator.track('acct_1', 'ai_tokens', 1, 'warm-up');
      const answered: string[] = [];
      let stopped = false;
      const callers = Array.from({ length: 8 }, async (_, caller) => {
        for (let call = 0; !stopped; call += 1) {
          const key = `${caller}-${call}`;
          try {
            const { status } = await integrator.track('acct_1', 'ai_tokens', 1, key);
            if (status === 200 && answered.push(key) === 50) api.child.kill(signal);
          } catch {
            // Connection refused: the port is closed, and nothing was accepted.
            return;
          }
        }
      });
      expect(await api.exit).toEqual({ code: 0, signal: null });
      stopped = true;
      await Promise.all(callers);
      expect(answered.length).toBeGreaterThanOrEqual(50);
      const stored = await database.query<{ key: string }>(
        'SELECT idempotency_key AS key FROM tollgate.usage_events WHERE workspace_id = $1',
        [workspace.workspaceId],
      );
      expect(stored.map((row) => row.key)).toEqual(expect.arrayContaining(answered));
    },
  );

  test('while it drains it says so and serves, and a second signal ends it at once', async () => {
    const api = start({ TOLLGATE_DRAIN_SECONDS: '300' });
    const url = await sandboxUrl(api);
    const readiness = async (): Promise<number> => (await fetch(`${url}/readyz`)).status;
    await until(async () => (await readiness()) === 200);
    api.child.kill('SIGTERM');
    while ((await readiness()) === 200) continue;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    // Two signals at the same moment count as one keystroke.
    const again = setInterval(() => api.child.kill('SIGTERM'), 200);
    expect(await api.exit).toEqual({ code: 1, signal: null });
    clearInterval(again);
  });

  test.each(['a signal', 'the end of its parent'])(
    '%s before it has started ends it in order',
    async (by) => {
      const silent = createServer();
      const port = await listenLocally(silent);
      const connected = once(silent, 'connection');
      const api = start({ TOLLGATE_DATABASE_URL: `postgres://tollgate_app:x@127.0.0.1:${port}/none` }, true);
      await connected;
      if (by === 'a signal') api.child.kill('SIGTERM');
      else api.child.disconnect();
      // A process of its own would die of the signal without a listener; the first of a container would not notice it.
      expect(await api.exit).toEqual({ code: 0, signal: null });
      silent.close();
    },
  );

  test.each([
    ['maintain --once', ['--once'], 1],
    ['maintain', [], 0],
  ])('%s that is stopped while it loads ends with the right code', async (_, args, code) => {
    const loading = path.join(__dirname, '../../dist/src/main/stop-signal.js');
    const script = 'require(process.argv[1]); process.kill(process.pid); setInterval(() => {}, 1_000)';
    const child = spawn(process.execPath, ['-e', script, '--', loading, ...args]);
    expect(await once(child, 'exit')).toEqual([code, null]);
  });

  test('the end of the parent that holds its channel ends it', async () => {
    const api = start({}, true);
    await sandboxUrl(api);
    api.child.disconnect();
    expect(await api.exit).toEqual({ code: 0, signal: null });
  });

  test('a missing or wrong setting is an error that names each variable and no value', async () => {
    const api = start({
      TOLLGATE_CURSOR_SECRET: 'too-short-secret',
      TOLLGATE_SANDBOX_PORT: 'many',
      TOLLGATE_DATABASE_URL: '',
    });
    expect((await api.exit).code).toBe(1);
    for (const name of [
      'TOLLGATE_CURSOR_SECRET',
      'TOLLGATE_SANDBOX_PORT',
      'TOLLGATE_DATABASE_URL is not set',
    ]) {
      expect(api.output).toContain(name);
    }
    expect(api.output).not.toContain('too-short-secret');
    expect(api.output).not.toContain('    at ');
  });

  test('a taken port is one line that names it', async () => {
    const server = createServer();
    const port = await listenLocally(server);
    const api = start({ TOLLGATE_PRODUCTION_PORT: String(port) });
    expect((await api.exit).code).toBe(1);
    expect(api.output.trim()).toBe(
      `api: Port ${port} is taken. Stop the process that listens there, or set another TOLLGATE_…_PORT.`,
    );
    server.close();
  });

  test('a taken port of the metrics ends it before it has served anything', async () => {
    const server = createServer();
    const port = await listenLocally(server);
    // With this drain time, an api that had begun to serve would keep running for 300 s before it printed anything.
    const api = start({ TOLLGATE_METRICS_PORT: String(port), TOLLGATE_DRAIN_SECONDS: '300' });
    expect((await api.exit).code).toBe(1);
    expect(api.output.trim()).toBe(
      `api: Port ${port} is taken. Stop the process that listens there, or set another TOLLGATE_…_PORT.`,
    );
    server.close();
  });

  test.each([
    ['a superuser', () => database.adminUrl, /is a superuser/],
    ['the owner', () => database.url('tollgate_migrator'), /owns the schema/],
  ])('refuses to run as %s', async (_, url, reason) => {
    const api = start({ TOLLGATE_DATABASE_URL: url() });
    expect((await api.exit).code).toBe(1);
    expect(api.output).toMatch(reason);
    expect(api.output.trim().split('\n')).toHaveLength(1);
  });

  test('an unreachable database ends it with one line', async () => {
    const api = start({ TOLLGATE_DATABASE_URL: 'postgres://tollgate_app:x@127.0.0.1:1/none' });
    expect((await api.exit).code).toBe(1);
    // The log goes to another stream, whose last line may be read after this one.
    expect(api.output).toMatch(
      /^api: Postgres has not answered \(connect ECONNREFUSED 127\.0\.0\.1:1\)\. .*$/m,
    );
    expect(api.output).not.toMatch(/^ +at /m);
  });
});
