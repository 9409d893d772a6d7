import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection, type ScheduleHandle } from '@temporalio/client';
import { findFreePort } from '../../src/embedded/free-port';
import type { TemporalServer } from '../../src/embedded/temporal-server';
import { CatalogueSeeder } from '../support/catalogue';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { Integrator } from '../support/integrator';
import { processSettings } from '../support/process-settings';
import { findPromtool } from '../support/promtool';
import { until } from '../support/until';
import { createWorkspace } from '../support/workspace';
import { startDevServer } from '../temporal/installation';

/** What an operator monitors: the health of each process, and every metric that a rule or a panel names. */
const ROOT = path.join(__dirname, '..', '..');
const RULES = 'deploy/prometheus/rules.yml';
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const PROCESSES = ['api', 'worker', 'relay', 'deliver', 'maintain'] as const;
type ProcessName = (typeof PROCESSES)[number];

let database: TestDatabase;
let temporal: TemporalServer;
let connection: Connection | undefined;
let client: Client;
let sweep: ScheduleHandle;
const started = new Map<ProcessName, EntryPoint>();
const ports = {} as Record<ProcessName | 'sandbox' | 'sdk', number>;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startDevServer()]);
  const free = await Promise.all(Array.from({ length: 7 }, () => findFreePort()));
  const [api = 0, worker = 0, relay = 0, deliver = 0, maintain = 0, sandbox = 0, sdk = 0] = free;
  Object.assign(ports, { api, worker, relay, deliver, maintain, sandbox, sdk });
  for (const name of PROCESSES) {
    started.set(
      name,
      new EntryPoint(name, {
        NODE_ENV: 'test',
        TEMPORAL_ADDRESS: temporal.address,
        ...processSettings(database),
        TOLLGATE_SANDBOX_PORT: String(sandbox),
        TOLLGATE_METRICS_PORT: String(api),
        TOLLGATE_WORKER_METRICS_PORT: String(sdk),
        TOLLGATE_HEALTH_PORT: String(ports[name]),
      }),
    );
  }
  await Promise.all([
    started.get('api')?.says(/"listening"/),
    started.get('worker')?.says(/"working"/),
    started.get('relay')?.says(/"relaying"/),
    started.get('deliver')?.says(/"delivering"/),
    started.get('maintain')?.says(/deleted what has expired/),
  ]);
  connection = await Connection.connect({ address: temporal.address });
  client = new Client({ connection });
  sweep = client.schedule.getHandle('next-wake-sweep-production');
  // At a full hour it would wake what a test leaves overdue.
  await until(() =>
    sweep.pause().then(
      () => true,
      () => false,
    ),
  );
});
afterAll(async () => {
  await connection?.close();
  for (const process of started.values()) {
    process.kill();
    await process.exit;
  }
  await temporal.stop();
  await database.drop();
});

const get = (port: number, page: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${page}`);
const metricsOf = async (port: number): Promise<string> => (await get(port, '/metrics')).text();

test.each(['worker', 'relay', 'deliver', 'maintain'] as const)(
  '%s is alive and ready on its own port',
  async (name) => {
    expect((await get(ports[name], '/healthz')).status).toBe(200);
    let answer: unknown;
    // A loaded Postgres or Temporal may not answer within readiness's own deadline.
    await until(async () => {
      const ready = await get(ports[name], '/readyz');
      answer = await ready.json();
      return ready.status === 200;
    });
    expect(answer).toEqual({
      status: 'ready',
      database: 'reachable',
      migrations: 'current',
      temporal: name === 'maintain' || name === 'deliver' ? 'not_configured' : 'reachable',
    });
    expect(await metricsOf(ports[name])).toContain('process_cpu_seconds_total');
    expect((await get(ports[name], '/constructor')).status).toBe(404);
  },
);

test.each(['worker', 'relay'] as const)('a %s whose namespace does not exist is not ready', async (name) => {
  const port = await findFreePort();
  const process = new EntryPoint(name, {
    NODE_ENV: 'test',
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: 'missing',
    ...processSettings(database),
    TOLLGATE_HEALTH_PORT: String(port),
  });
  try {
    await process.says(/failed and is retried/);
    let answer: unknown;
    // A loaded Postgres may not answer within readiness's own deadline.
    await until(async () => {
      const ready = await get(port, '/readyz');
      const body = (await ready.json()) as { database: string };
      answer = [ready.status, body];
      return body.database === 'reachable';
    });
    expect(answer).toMatchObject([503, { temporal: 'unreachable' }]);
  } finally {
    process.kill();
    await process.exit;
  }
});

test('a worker whose metrics find their port taken ends, and names the variable', async () => {
  const worker = new EntryPoint('worker', {
    NODE_ENV: 'test',
    TEMPORAL_ADDRESS: temporal.address,
    ...processSettings(database),
    TOLLGATE_WORKER_METRICS_PORT: String(ports.api),
  });
  expect((await worker.exit).code).toBe(1);
  expect(worker.output).toContain(
    `worker: TOLLGATE_WORKER_METRICS_PORT: 127.0.0.1:${ports.api} cannot be listened on.`,
  );
});

test('denials are counted by operation', async () => {
  const workspace = await createWorkspace(database);
  const seed = new CatalogueSeeder(database, workspace.sandbox);
  const plan = await seed.plan('pro', [{ feature: 'ai_tokens', quota: 1 }]);
  await seed.subscription(await seed.customer('acct_1'), plan);
  const integrator = new Integrator(`http://127.0.0.1:${ports.sandbox}`, workspace.sandboxKey);
  await integrator.check('acct_1', 'ai_tokens', 1);
  await integrator.check('acct_1', 'ai_tokens', 5);
  await integrator.track('acct_1', 'ai_tokens', 5, 'too-much');
  const text = await metricsOf(ports.api);
  for (const operation of ['check', 'track']) {
    expect(text).toContain(`tollgate_usage_denials_total{environment="sandbox",operation="${operation}"} 1`);
  }
});

test('maintain measures the backlogs in Postgres', async () => {
  const workspace = await createWorkspace(database);
  const seed = new CatalogueSeeder(database, workspace.production);
  const plan = await seed.plan('pro', [{ feature: 'ai_tokens', quota: 1 }]);
  const id = await seed.subscription(await seed.customer('acct_1'), plan);
  await database.query(
    "UPDATE tollgate.subscriptions SET status = 'past_due', next_wake_at = now() - interval '1 hour' WHERE id = $1",
    [id],
  );
  const text = await metricsOf(ports.maintain);
  expect(text).toContain('tollgate_past_due_subscriptions{environment="production"} 1');
  expect(text).toContain('tollgate_overdue_wakes{environment="production"} 1');
  expect(text).toMatch(/tollgate_overdue_wakes_oldest_seconds\{environment="production"\} 36\d\d/);
  expect(text).toMatch(/tollgate_open_operations\{environment="sandbox"\} 0/);
  expect(text).toMatch(/tollgate_outbox_jobs \d/);
  expect(text).toMatch(/tollgate_outbox_failing_jobs 0/);
});

test('every metric and label that a rule or a panel names is exported', async () => {
  await sweep.trigger();
  // No build of ours has this type, so its tasks fail.
  await client.workflow.start('unknown', { workflowId: 'unknown', taskQueue: 'billing-production' });
  // The SDK exports a metric from its first value on.
  await until(async () => {
    const text = await metricsOf(ports.sdk);
    return (
      text.includes('temporal_activity_schedule_to_start_latency') &&
      /^temporal_workflow_task_execution_failed\{.*task_queue="billing-production".*workflow_type="unknown"/m.test(
        text,
      )
    );
  });
  await fetch(`http://127.0.0.1:${ports.sandbox}/v1/webhooks/provider_a`, { method: 'POST' });
  const exported = (
    await Promise.all(
      [ports.api, ports.worker, ports.relay, ports.deliver, ports.maintain, ports.sdk].map(metricsOf),
    )
  ).join('\n');
  const dashboard = JSON.stringify(JSON.parse(read('deploy/grafana/tollgate.json')));
  const named = new Set(
    `${read(RULES)}${dashboard}`.match(/\b(?:tollgate|temporal|process|nodejs)_[a-z_]+/g),
  );
  expect(named.size).toBeGreaterThan(12);
  const known = new Set(exported.match(/^(?:# TYPE )?[a-z_]+/gm)?.map((line) => line.replace('# TYPE ', '')));
  const isKnown = (name: string): boolean =>
    known.has(name) || known.has(name.replace(/_(?:bucket|count|sum)$/, ''));
  expect([...named].filter((name) => !isKnown(name))).toEqual([]);
  // A condition on a route that is never exported is never true.
  const routes = new Set(
    [...`${read(RULES)}${dashboard}`.matchAll(/\broute=\\*"([^"\\]*)/g)].map(([, route]) => route),
  );
  expect(routes.size).toBeGreaterThan(0);
  expect([...routes].filter((route) => !exported.includes(`route="${route}"`))).toEqual([]);
});

test('each process exports the metrics that docs/operations.md lists for it, and no others of its own', async () => {
  const rows = [...read('docs/operations.md').matchAll(/^\| (`tollgate_.*?) +\| (.*?) +\|/gm)];
  const documented = (name: ProcessName): string[] =>
    rows
      .filter(([, , processes = '']) => processes.split(', ').includes(name))
      .flatMap(([, metrics = '']) => metrics.match(/tollgate_[a-z_]+/g) ?? []);
  for (const name of PROCESSES) {
    const text = await metricsOf(ports[name]);
    const exported = [...text.matchAll(/^# TYPE (tollgate_[a-z_]+)/gm)].map(([, metric = '']) => metric);
    expect({ name, metrics: exported.sort() }).toEqual({ name, metrics: documented(name).sort() });
  }
});

test('the rules and the dashboard are well formed', () => {
  const rules = read(RULES);
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  const count = (pattern: RegExp): number => [...rules.matchAll(pattern)].length;
  for (const part of [/^ {8}expr: /gm, /^ {8}for: \d+[mh]$/gm, /^ {10}summary: /gm, /^ {10}action: /gm]) {
    expect([String(part), count(part)]).toEqual([String(part), names.length]);
  }
  const promtool = findPromtool();
  if (promtool !== undefined) {
    const output = execFileSync(promtool, ['check', 'rules', path.join(ROOT, RULES)], { encoding: 'utf8' });
    expect(output).toContain(`SUCCESS: ${names.length} rules found`);
    const config = path.join(ROOT, 'deploy', 'prometheus', 'prometheus.yml');
    expect(execFileSync(promtool, ['check', 'config', config], { encoding: 'utf8' })).toContain('SUCCESS');
  }
});

test('a round that has never succeeded since maintain began is late, too', async () => {
  const port = await findFreePort();
  await database.query('ALTER TABLE tollgate.login_throttle RENAME TO login_throttle_away');
  const maintain = new EntryPoint('maintain', {
    ...processSettings(database),
    TOLLGATE_HEALTH_PORT: String(port),
  });
  try {
    await maintain.says(/"round":"hour".*a round of maintenance failed/);
    expect(await metricsOf(port)).toContain('tollgate_maintenance_success_timestamp_seconds{round="hour"} 0');
  } finally {
    maintain.kill();
    await maintain.exit;
    await database.query('ALTER TABLE tollgate.login_throttle_away RENAME TO login_throttle');
  }
});
