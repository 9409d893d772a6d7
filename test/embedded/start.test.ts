import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { DAY_MS } from '../../src/domain/instant';
import { commandLine } from '../../src/embedded/command-line';
import { EntryPoint } from '../support/entry-point';
import { until } from '../support/until';
import { makeStartPlace, printed, type Started, type StartPlace } from '../support/npm-start';

const WEEK_MS = 7 * DAY_MS;

let place: StartPlace;
let directory: string;
let ports: StartPlace['ports'];

const start = (variables?: Record<string, string>): Started => place.start(variables);
const ready = (started: Started): Promise<void> => printed(started, 'Tollgate is ready.');

/** Sends a Ctrl-C, which under npm reaches the process twice. */
async function interrupt(started: Started): Promise<unknown> {
  started.process.kill('SIGINT');
  started.process.kill('SIGINT');
  return (await started.ended)[0];
}

async function running(): Promise<Record<string, number>> {
  const record = JSON.parse(await readFile(path.join(directory, 'running.json'), 'utf8')) as {
    processes: { name: string; pid: number }[];
  };
  return Object.fromEntries(record.processes.map(({ name, pid }) => [name, pid]));
}

/**
 * Returns the names of those still running. An ended process may stay in the process table until its new parent reaps
 * it.
 */
async function left(processes: Record<string, number>): Promise<string[]> {
  const commands = await Promise.all(Object.values(processes).map(commandLine));
  return Object.keys(processes).filter((_, index) => commands[index] !== '');
}

async function query(sql: string): Promise<unknown[]> {
  const secrets = JSON.parse(await readFile(path.join(directory, 'secrets.json'), 'utf8')) as {
    postgresSuperuser: string;
  };
  const client = new Client({
    host: '127.0.0.1',
    port: ports.POSTGRES,
    user: 'postgres',
    password: secrets.postgresSuperuser,
    database: 'tollgate',
  });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const status = async (port: number, route: string): Promise<number> =>
  fetch(`http://127.0.0.1:${port}${route}`).then(
    (answer) => answer.status,
    () => 0,
  );

/** Resolves once the sandbox API is ready: a loaded Postgres may not answer within readiness's own deadline. */
const readyzIs200 = (): Promise<void> => until(async () => (await status(ports.SANDBOX, '/readyz')) === 200);

async function simulatorsNow(): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${ports.SIMULATOR_CONTROL}/clock`);
  return ((await answer.json()) as { now: number }).now;
}

/** Calls provider C as the demo's connection does. */
async function providerC(route: string, body?: object): Promise<{ status: number; text: string }> {
  const { simulators, connections } = JSON.parse(
    await readFile(path.join(directory, 'demo.json'), 'utf8'),
  ) as { simulators: { c: string }; connections: { provider_c: { secrets: { secretKey: string } } } };
  const { secretKey } = connections.provider_c.secrets;
  const answer = await fetch(`${simulators.c}${route}`, {
    headers: { Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

beforeAll(async () => {
  place = await makeStartPlace();
  ({ directory, ports } = place);
});
afterEach(() => place.stop());
afterAll(() => place.remove());

test('npm start serves, starts again what dies, stops everything on Ctrl-C, and keeps the data', async () => {
  const cliPath = process.env['TEMPORAL_CLI_PATH'];
  if (cliPath === undefined)
    throw new Error('Set TEMPORAL_CLI_PATH, or run this with npm test, which sets it.');
  const first = start({ TEMPORAL_CLI_PATH: cliPath });
  await ready(first);
  const before = await running();
  const [one, other, ...processes] = Object.keys(before);
  // The two servers start concurrently, before everything that needs them.
  expect(new Set([one, other])).toEqual(new Set(['postgres', 'temporal']));
  expect(processes).toEqual(['simulators', 'maintain', 'relay', 'worker', 'deliver', 'api']);
  await readyzIs200();
  await query('CREATE TABLE public.kept AS SELECT 42 AS n');

  // As if the api had moved a sandbox's clock: it is killed before it moves the simulators' clock.
  await query(
    `INSERT INTO tollgate.sandbox_clocks
     SELECT workspace_id, 'sandbox', ${WEEK_MS}, now() FROM tollgate.organizations LIMIT 1
         ON CONFLICT (workspace_id, environment) DO UPDATE SET offset_ms = excluded.offset_ms`,
  );
  const week = Date.now() + WEEK_MS;
  process.kill(before['api'] ?? 0, 'SIGKILL');
  while ((await status(ports.SANDBOX, '/readyz')) !== 200 || (await running())['api'] === before['api'])
    await pause(50);
  expect(first.output()).toContain('api was ended by SIGKILL; it is restarted in 0.25 s');

  while ((await simulatorsNow()) < week) await pause(50);

  // State that the simulators have acknowledged survives their process.
  const plan = { name: 'Kept by C', amount: 100, currency: 'USD', interval: 'monthly' };
  expect((await providerC('/plan', plan)).status).toBeLessThan(300);
  process.kill(before['simulators'] ?? 0, 'SIGKILL');
  while ((await running())['simulators'] === before['simulators']) await pause(50);
  // The new process is recorded before it listens.
  const poll = (): Promise<Awaited<ReturnType<typeof providerC>> | undefined> =>
    providerC('/plan').catch(() => undefined);
  let plans = await poll();
  for (; plans === undefined; plans = await poll()) await pause(50);
  expect([plans.status, plans.text]).toEqual([200, expect.stringContaining('Kept by C')]);

  const last = await running();
  expect(await interrupt(first)).toBe(0);
  expect(await left(last)).toEqual([]);
  expect(existsSync(path.join(directory, 'running.json'))).toBe(false);

  const second = start({ TEMPORAL_CLI_PATH: cliPath });
  await ready(second);
  expect(await query('SELECT n FROM public.kept')).toEqual([{ n: 42 }]);
  const orphans = await running();
  second.process.kill('SIGKILL');
  await second.ended;

  const third = start();
  await ready(third);
  expect(await left(orphans)).toEqual([]);
  expect(await query('SELECT n FROM public.kept')).toEqual([{ n: 42 }]);
  // Without Temporal this time: metering is served without it.
  expect(Object.keys(await running())).toEqual(['postgres', 'simulators', 'maintain', 'deliver', 'api']);
  await readyzIs200();
  // The reader of its output ends first, as `tee` does on the same Ctrl-C, or a closed terminal.
  third.process.stdout?.destroy();
  third.process.stderr?.destroy();
  const served = await running();
  expect(await interrupt(third)).toBe(0);
  expect(await left(served)).toEqual([]);
  expect(existsSync(path.join(directory, 'running.json'))).toBe(false);
});

test('data of another version are left unchanged, and reported', async () => {
  const other = await makeStartPlace();
  try {
    await mkdir(path.join(other.directory, 'postgres'));
    await writeFile(path.join(other.directory, 'postgres', 'PG_VERSION'), '17\n');
    const started = other.start();
    expect((await started.ended)[0]).toBe(1);
    expect(started.output()).toContain('was created by Postgres 17; this is Postgres 18');
    expect(started.output()).not.toMatch(/^ +at /m);
    expect(await readFile(path.join(other.directory, 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n');
  } finally {
    await other.stop();
    await other.remove();
  }
});

test('a taken port ends the start before anything is started', async () => {
  const blocker = createServer().listen(ports.PRODUCTION, '127.0.0.1');
  await once(blocker, 'listening');
  const started = start();
  expect((await started.ended)[0]).toBe(1);
  blocker.close();
  expect(started.output().trim()).toBe(
    `Port ${ports.PRODUCTION} on 127.0.0.1, wanted for the production API, is taken: stop what listens there, or set TOLLGATE_PRODUCTION_PORT to another port.`,
  );
  expect(existsSync(path.join(directory, 'running.json'))).toBe(false);
});

test('wrong settings are all named', async () => {
  const started = start({ TOLLGATE_CONSOLE_PORT: 'many', TEMPORAL_ADDRESS: 'temporal' });
  expect((await started.ended)[0]).toBe(1);
  expect(started.output()).toContain('TOLLGATE_CONSOLE_PORT');
  expect(started.output()).toContain('TEMPORAL_ADDRESS');
});

test('demo:reset names a wrong setting, without a stack', async () => {
  const reset = new EntryPoint('demo-reset', { TOLLGATE_POSTGRES_PORT: 'many' });
  expect((await reset.exit).code).toBe(1);
  expect(reset.output).toMatch(/TOLLGATE_POSTGRES_PORT: is not a whole number\n$/);
});
