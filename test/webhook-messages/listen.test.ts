import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../src/embedded/free-port';
import { writeDemoFile, type DemoFile } from '../../src/embedded/demo/demo-file';
import { KeptState } from '../../src/listen/kept-state';
import { EntryPoint } from '../support/entry-point';
import type { TestService } from '../support/service';
import { UsageWorkspace } from '../support/usage-workspace';
import { announce } from '../webhook-deliveries/rig';
import { createKey, createWorkspace } from '../support/workspace';
import { Receiver } from './receiver';

/** `npm run listen` as a separate process, against a real service and a real receiver. */
let usage: UsageWorkspace;
let service: TestService;
let directory: string;
let key: string;
const receiver = new Receiver();
let hook: string;
const started: EntryPoint[] = [];
beforeAll(async () => {
  usage = await UsageWorkspace.start();
  ({ service } = usage);
  directory = await mkdtemp(path.join(tmpdir(), 'tollgate-listen-'));
  key = await createKey(service.database, usage.workspace.sandbox, ['usage', 'webhooks']);
  hook = await receiver.start();
});
afterAll(async () => {
  for (const child of started) child.kill();
  await Promise.all(started.map(({ exit }) => exit));
  await receiver.stop();
  await usage.stop();
  await rm(directory, { recursive: true, force: true });
});

function start(args: string[], more: Record<string, string> = {}): EntryPoint {
  const environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_API_KEY: key, ...more };
  const child = new EntryPoint('listen', environment, { args });
  started.push(child);
  return child;
}

const listen = (...args: string[]) =>
  start(['--api-url', service.urls.sandbox, '--forward-to', hook, ...args]);

/** Makes a customer's usage cause a message to integrators. @returns the customer's id */
async function fact(): Promise<string> {
  const { externalId, customerId } = await usage.customer({ feature: 'api_calls', quota: 10 });
  await usage.api.track(externalId, 'api_calls', 9, randomUUID());
  return customerId;
}

const messages = () =>
  service.database.query<{ id: string; payload: string }>(
    'SELECT id, payload FROM tollgate.webhook_messages ORDER BY written_by, id',
  );

test('forwards what is signed, byte for byte; over a receiver that is down, kills and restarts nothing is missed', async () => {
  const before = await fact();
  const first = listen();
  const [, secret = ''] = await first.says(/signed with (whsec_\S+)/);
  receiver.secret = secret;
  await first.says(/Listening to the sandbox/);
  await receiver.about(await fact());
  await first.says(/usage\.threshold_reached {2}cus_\S+ #1 {2}msg_\S+ {2}-> 204/);
  // The first start begins with new messages only.
  expect(receiver.taken.map(({ payload }) => payload.resource.id)).not.toContain(before);
  const [{ payload } = { payload: '' }] = (await messages()).slice(-1);
  expect(receiver.taken.map(({ text }) => text)).toEqual([payload]);

  await receiver.stop();
  const down = [await fact(), await fact()];
  await first.says(/does not answer \(nothing listens there\)/);
  await receiver.start();
  for (const id of down) await receiver.about(id);
  await first.says(/answers again/);

  first.kill();
  await first.exit;
  const missed = [await fact(), await fact()];
  const second = listen();
  await second.says(/starting after the last message received/);
  for (const id of missed) await receiver.about(id);
  expect((await second.says(/signed with (whsec_\S+)/))[1]).toBe(secret);

  // Every message but the one before the first start, in the order of events; a kill may cause one to be sent twice.
  expect([...new Set(receiver.ids)]).toEqual((await messages()).slice(1).map(({ id }) => id));
  second.child.kill('SIGINT');
  expect(await second.exit).toEqual({ code: 0, signal: null });
  await second.says(/Stopped after [23] messages/);
  expect((await stat(path.join(directory, 'listen.json'))).mode & 0o777).toBe(0o600);
});

test('each sandbox continues where it was, even after another of the same service was listened to', async () => {
  const other = await createWorkspace(service.database, 'Other');
  const otherKey = await createKey(service.database, other.sandbox, ['webhooks']);
  const mine = listen();
  await mine.says(/Listening to the sandbox/);
  mine.child.kill('SIGINT');
  await mine.exit;
  const missed = await fact();
  const theirs = start(['--api-url', service.urls.sandbox, '--skip-forward'], { TOLLGATE_API_KEY: otherKey });
  await theirs.says(/Listening to the sandbox/);
  const message = await announce(service.database, other.sandbox);
  await theirs.says(new RegExp(message));
  theirs.child.kill('SIGINT');
  await theirs.exit;

  const again = listen();
  await again.says(/starting after the last message received/);
  await again.says(new RegExp(`usage\\.threshold_reached {2}${missed}`));
  // Its first start begins with new messages only.
  expect(theirs.output).toContain('from now on');
  again.child.kill('SIGINT');
  await again.exit;
});

test('a receiver continues where it was, even after another one of the same sandbox has continued without it', async () => {
  const kept = await mkdtemp(path.join(directory, 'kept-'));
  const url = service.urls.sandbox;
  const first = await KeptState.open(kept, 'http://127.0.0.1:3000/');
  const second = await KeptState.open(kept, 'http://127.0.0.1:3001/');
  await first.switchTo(url, 'org_1');
  await first.moveTo(url, '7.msg_a');
  await second.switchTo(url, 'org_1');
  await second.moveTo(url, '9.msg_b');
  const of = async (receiver: string) => (await KeptState.open(kept, receiver)).positionOf(url);
  expect(await of('http://127.0.0.1:3000/')).toBe('7.msg_a');
  expect(await of('http://127.0.0.1:3001/')).toBe('9.msg_b');
  // A receiver at a new address goes on after the last message that any has received.
  expect(await of('http://127.0.0.1:3002/')).toBe('9.msg_b');
  // Nor does a process undo what another one has written to the file meanwhile.
  await first.moveTo(url, '8.msg_c');
  expect(await of('http://127.0.0.1:3001/')).toBe('9.msg_b');
  // Nor does one that lags behind move a new address back; only a service that no longer knows the position does.
  expect(await of('http://127.0.0.1:3002/')).toBe('9.msg_b');
  await second.moveTo(url, '10.msg_a');
  expect(await of('http://127.0.0.1:3002/')).toBe('10.msg_a');
  await first.restartAt(url, '2.0');
  expect(await of('http://127.0.0.1:3002/')).toBe('2.0');
});

test('receivers that are started for the first time at once sign with one secret', async () => {
  const kept = await mkdtemp(path.join(directory, 'kept-'));
  const opened = await Promise.all(
    [1, 2, 3, 4].map((n) => KeptState.open(kept, `http://127.0.0.1:300${n}/`)),
  );
  const again = await KeptState.open(kept, 'terminal');
  expect(new Set([...opened, again].map(({ secret }) => secret)).size).toBe(1);
  expect(await readdir(kept)).toEqual(['listen.json']);
});

test('an answer that is no 2xx is tried again, and then left out, with words', async () => {
  const child = listen();
  await child.says(/Listening/);
  receiver.answers.push(500);
  await receiver.about(await fact());
  await child.says(/answered 500; sending msg_\S+ again/);
  receiver.answers.push(500, 500, 500, 500);
  const left = await fact();
  const next = await fact();
  await receiver.about(next);
  await child.says(/-> 500, again and again: left out/);
  expect(receiver.taken.map(({ payload }) => payload.resource.id)).not.toContain(left);
  child.child.kill('SIGTERM');
  expect((await child.exit).code).toBe(0);
});

test('only prints, and only the types that were named', async () => {
  const args = ['--api-url', service.urls.sandbox, '--skip-forward'];
  const all = start(args);
  const others = start([...args, '--types', 'credits.low,drift.found']);
  await Promise.all([all.says(/Listening/), others.says(/Listening/)]);
  const id = await fact();
  await all.says(new RegExp(`usage\\.threshold_reached {2}${id}`));
  for (const child of [all, others]) child.child.kill('SIGINT');
  await Promise.all([all.exit, others.exit]);
  expect(others.output).not.toContain(id);
});

test.each([
  ['nothing to forward to', [], {}, /Set --forward-to/],
  ['no key', ['--skip-forward'], { TOLLGATE_API_KEY: '' }, /There is no key/],
  ['a production key', ['--skip-forward', '--api-key', 'svc_live_x'], {}, /This is a production key/],
  ['a key that is unknown', ['--skip-forward', '--api-key', 'svc_test_wrong'], {}, /key/i],
  ['a type that is none', ['--skip-forward', '--types', 'nothing.new'], {}, /There is no nothing\.new/],
  ['both ways', ['--skip-forward', '--forward-to', 'http://127.0.0.1:1'], {}, /not both/],
  ['a secret that is none', ['--skip-forward', '--secret', '%'], {}, /not whsec_/],
  ['an address that is none', ['--forward-to', 'ftp://x'], {}, /not an http or https URL/],
  ['a port that fetch blocks', ['--forward-to', 'http://127.0.0.1:6000'], {}, /block its port/],
  ['a password', ['--forward-to', 'http://me:secret@127.0.0.1:3000'], {}, /a user name or a password/],
])('says what is wrong: %s', async (_, args, environment, words) => {
  const child = start(['--api-url', service.urls.sandbox, ...args], environment);
  expect((await child.exit).code).toBe(1);
  expect(child.output).toMatch(words);
  expect(child.output).not.toContain('    at ');
});

test('a service that does not run, and the host of production, are named', async () => {
  const nobody = `http://127.0.0.1:${await findFreePort()}`;
  const down = start(['--skip-forward', '--api-url', nobody]);
  expect((await down.exit).code).toBe(1);
  expect(down.output).toContain(
    `${nobody} does not answer as it should: nothing listens there. Start Tollgate`,
  );
  const wrong = start(['--skip-forward', '--api-url', service.urls.production]);
  expect((await wrong.exit).code).toBe(1);
  expect(wrong.output).toMatch(/sandbox/);
});

test('sends the key of npm start to the sandbox of npm start only', async () => {
  const dataDirectory = path.join(directory, 'of-npm-start');
  const demo: DemoFile = {
    consoleUrl: service.urls.console,
    sandboxBaseUrl: service.urls.sandbox.replace('127.0.0.1', 'localhost'),
    productionBaseUrl: service.urls.production,
    temporalUiUrl: null,
    operator: { email: 'owner@example.com', password: 'not-used-here' },
    organizationId: 'org_1',
    sandboxKey: key,
    productionKey: 'svc_live_x',
    simulators: { a: '', b: '', c: '', control: '' },
    connections: {
      provider_a: { id: '', secrets: { secretKey: '', webhookSecret: '' } },
      provider_b: { id: '', secrets: { clientId: '', clientSecret: '', webhookId: '' } },
      provider_c: { id: '', secrets: { secretKey: '' } },
    },
    curl: [],
  };
  await writeDemoFile(dataDirectory, demo);
  const environment = { TOLLGATE_API_KEY: '', TOLLGATE_DATA_DIR: dataDirectory };
  const own = start(['--skip-forward', '--api-url', service.urls.sandbox], environment);
  await own.says(/Listening/);
  own.child.kill('SIGTERM');
  await own.exit;
  const other = start(['--skip-forward', '--api-url', hook], environment);
  expect((await other.exit).code).toBe(1);
  expect(other.output).toContain(`There is no key for ${new URL(hook).origin}: name a sandbox key`);
});

test('a key that is revoked ends it', async () => {
  const own = await createKey(service.database, usage.workspace.sandbox, ['webhooks']);
  const child = start(['--skip-forward', '--api-url', service.urls.sandbox], { TOLLGATE_API_KEY: own });
  await child.says(/Listening/);
  await service.database.query(
    'UPDATE tollgate.api_keys SET revoked_at = now() WHERE id = (SELECT max(id) FROM tollgate.api_keys)',
  );
  expect((await child.exit).code).toBe(1);
  expect(child.output).toContain('The API key was revoked');
});
