import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../src/config/read-config';

/** The files that Docker receives, derived from its configuration: nothing here runs Docker. */
const ROOT = path.join(__dirname, '..', '..');
const linesOf = (file: string): string[] => readFileSync(path.join(ROOT, file), 'utf8').split('\n');

const patterns = linesOf('.dockerignore').filter((line) => line !== '' && !line.startsWith('#'));

/** Returns whether a pattern, in one of this file's few forms, matches the path or a folder above it. */
function fits(pattern: string, file: string): boolean {
  if (pattern === '*') return true;
  if (pattern.startsWith('**/')) return file.split('/').includes(pattern.slice(3));
  return file === pattern || file.startsWith(`${pattern}/`);
}

/** Returns whether Docker's context includes a file: the last matching pattern decides. */
function isInContext(file: string): boolean {
  const last = patterns.findLast((pattern) => fits(pattern.replace(/^!/, ''), file));
  return last === undefined || last.startsWith('!');
}

const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

test('whatever the image copies by name is among what Docker is given', () => {
  const copied = linesOf('Dockerfile')
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(/\s+/).slice(1, -1))
    .filter((source) => source !== '.');
  expect(copied.length).toBeGreaterThan(3);
  expect(copied.filter((source) => !isInContext(source))).toEqual([]);
});

test('whatever the image is built from is among what Docker is given, and nothing that belongs to this machine', () => {
  const built =
    /^(?:src|activities|workflows|scripts|console|portal)\/|^(?:package|package-lock|tsconfig)\.json$/;
  expect(tracked.filter((file) => built.test(file) !== isInContext(file))).toEqual([]);
  for (const file of ['.env', '.data/secrets.json', 'node_modules/pg/package.json', 'dist/src/main/api.js']) {
    expect([file, isInContext(file)]).toEqual([file, false]);
  }
  expect(isInContext('console/node_modules/vite/package.json')).toBe(false);
});

// Builds of one tag at the same time fail on a machine that does not have it yet. And a process of an image that another
// service builds may run an old one, unless that service always comes first.
test('Compose builds the image once, for the service on which each of the others depends', () => {
  const compose = linesOf('docker-compose.yml').join('\n');
  expect(compose.match(/^ *build:/gm)).toHaveLength(1);
  const services = new Map(
    [...compose.matchAll(/^ {2}([\w-]+):\n((?: {4}.*\n|\n)+)/gm)].map(([, name = '', text = '']) => [
      name,
      text,
    ]),
  );
  expect(services.get('migrate')).toMatch(/^ {4}build: \.$/m);
  const dependsOn = (name: string): boolean => {
    const text = services.get(name)?.replace('*worker-depends', 'migrate:') ?? '';
    const [, list = ''] = /^ {4}depends_on:(.*\n(?: {6}.*\n)*)/m.exec(text) ?? [];
    const needed = [...list.matchAll(/([\w-]+):/g)].map(([, one = '']) => one);
    return needed.includes('migrate') || needed.some(dependsOn);
  };
  const others = [...services].filter(([name, text]) => text.includes('*service') && name !== 'migrate');
  expect(others.map(([name]) => name)).toEqual(expect.arrayContaining(['api', 'worker', 'temporal-setup']));
  expect(others.filter(([name]) => !dependsOn(name))).toEqual([]);
});

test('Compose gives each of the service’s processes longer than it takes to end', () => {
  const compose = linesOf('docker-compose.yml').join('\n');
  const shared = /^x-service: &service\n((?: {2}.*\n)+)/m.exec(compose)?.[1] ?? '';
  const seconds = [...compose.matchAll(/^ *stop_grace_period: (?:\$\{\w+:-)?(\d+)s\}?$/gm)].map(([, text]) =>
    Number(text),
  );
  // A worker ends its tasks after twelve seconds (activities/workers.ts); Docker's default is to kill after ten.
  expect(shared).toMatch(/^ {2}stop_grace_period: \d+s$/m);
  expect(Math.min(...seconds)).toBeGreaterThan(20);
});

test('Compose lets an api that drains for longer also end for longer', () => {
  const compose = linesOf('docker-compose.yml').join('\n');
  const [, drain = ''] = /\$\{TOLLGATE_DRAIN_SECONDS:-(\d+)\}/.exec(compose) ?? [];
  const [, grace = ''] = /^ {4}stop_grace_period: \$\{API_STOP_GRACE_PERIOD:-(\d+)s\}$/m.exec(compose) ?? [];
  // After that, a second for idle connections, and fifteen for requests in progress (src/server/listener.ts).
  expect(Number(grace) - Number(drain)).toBeGreaterThanOrEqual(25);
});

test('Compose gives the service’s roles their right to connect before it takes that of everybody', () => {
  const compose = linesOf('docker-compose.yml').join('\n');
  const [granted, revoked] = [/GRANT CONNECT ON DATABASE/, /REVOKE CONNECT ON DATABASE/].map((right) =>
    compose.search(right),
  );
  expect(granted).toBeGreaterThan(0);
  expect(revoked).toBeGreaterThan(granted ?? Infinity);
});

test('Compose puts no password into a statement, which Postgres may log', () => {
  const compose = linesOf('docker-compose.yml').join('\n');
  expect(compose).toContain(String.raw`\password temporal`);
  expect(compose).not.toMatch(/ROLE \w+ .*PASSWORD/);
});

test('Compose’s Postgres has a connection for each that Tollgate and Temporal may open', () => {
  const compose = linesOf('docker-compose.yml').join('\n');
  const most = Number(/^ +command: \[postgres, -c, max_connections=(\d+)\]$/m.exec(compose)?.[1] ?? 100);
  const { TOLLGATE_DATABASE_POOL: pool, ...further } = readConfig(
    ['TOLLGATE_DATABASE_POOL', 'TOLLGATE_USAGE_POOL', 'TOLLGATE_WEBHOOK_POOL'],
    {},
  );
  const api = pool + further.TOLLGATE_USAGE_POOL + further.TOLLGATE_WEBHOOK_POOL;
  const workers = 2 * (pool + Math.ceil(pool / 3));
  const deliver = pool;
  // Frontend, history, matching and worker: 20 for its store and 10 for visibility each, by its image's template.
  const temporal = 4 * (20 + 10);
  // For relay, maintain, listening connections, and manual sessions.
  const others = 30;
  expect(most).toBeGreaterThanOrEqual(api + workers + deliver + temporal + others);
});

test('Kubernetes can see that the image does not run as root', () => {
  expect(linesOf('Dockerfile').findLast((line) => line.startsWith('USER '))).toMatch(
    /^USER [1-9]\d*(:\d+)?$/,
  );
});

describe('the image’s health check', () => {
  const [, text = '[]'] = /^HEALTHCHECK .*\\\n +CMD (\[.*\])$/m.exec(linesOf('Dockerfile').join('\n')) ?? [];
  const [, ...args] = JSON.parse(text) as string[];
  let directory: string;
  let healthy: number;
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/healthz' ? 200 : 404).end();
  });
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'tollgate-image-'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    healthy = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.close();
    await rm(directory, { recursive: true });
  });

  async function exitCode(command: readonly string[], environment: Record<string, string>): Promise<unknown> {
    const cmdline = path.join(directory, 'cmdline');
    await writeFile(cmdline, command.join('\0'));
    const check = args.map((arg) => arg.replace('/proc/1/cmdline', cmdline));
    const [code] = (await once(spawn(process.execPath, check, { env: environment }), 'exit')) as unknown[];
    return code;
  }
  const api = ['/sbin/docker-init', '--', 'node', '--min-semi-space-size=16', 'dist/src/main/api.js'];
  const worker = ['node', 'dist/src/main/worker.js'];

  test('asks the api on its own port, whatever else is set', async () => {
    const closed = { TOLLGATE_HEALTH_PORT: '1' };
    expect(await exitCode(api, { ...closed, TOLLGATE_SANDBOX_PORT: String(healthy) })).toBe(0);
    expect(await exitCode(api, { TOLLGATE_SANDBOX_PORT: '1', TOLLGATE_HEALTH_PORT: String(healthy) })).toBe(
      1,
    );
  });

  test('asks another process where it has a port for that, and is content with one that has none', async () => {
    expect(await exitCode(worker, { TOLLGATE_HEALTH_PORT: String(healthy) })).toBe(0);
    expect(await exitCode(worker, { TOLLGATE_HEALTH_PORT: '1' })).toBe(1);
    expect(await exitCode(worker, {})).toBe(0);
  });
});
