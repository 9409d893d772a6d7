import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { DirectoryUnusableError } from '../../src/embedded/data-directory';
import { findFreePort, PortTakenError } from '../../src/embedded/free-port';
import { initializeDataDirectory } from '../../src/embedded/postgres-data-directory';
import { StartError } from '../../src/embedded/start-error';
import { startPostgresCluster, type PostgresCluster } from '../../src/embedded/postgres-cluster';

const superuserPassword = "p@ss/w:rd'%20";
let root: string;
let clusters: PostgresCluster[] = [];

const start = async (name: string, settings: Record<string, string> = {}): Promise<PostgresCluster> => {
  const dataDirectory = path.join(root, name);
  const cluster = await startPostgresCluster({
    dataDirectory,
    port: await findFreePort(),
    superuserPassword,
    settings,
  });
  clusters.push(cluster);
  return cluster;
};

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'tollgate-embedded-'));
  // Under root, Postgres runs as another account, which needs access.
  await chmod(root, 0o755);
});
afterEach(async () => {
  await Promise.all(clusters.map((cluster) => cluster.stop()));
  clusters = [];
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('keeps what was committed over a stop with an open transaction and a second start', async () => {
  const first = await start('kept');
  await query(first.adminUrl, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (42)');
  const idle = new Client({ connectionString: first.adminUrl });
  idle.on('error', () => undefined);
  await idle.connect();
  await idle.query('BEGIN; INSERT INTO kept VALUES (43)');
  await first.stop();
  expect(isAlive(first.pid)).toBe(false);

  const second = await start('kept');
  expect(await query(second.adminUrl, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
  await expect(readFile(path.join(root, 'kept', 'postmaster.pid'), 'utf8')).resolves.toMatch(
    `${second.pid}\n`,
  );
});

test('is durable, listens on the loopback only and takes settings', async () => {
  const cluster = await start('settings', { max_connections: '17' });
  const show = async (name: string): Promise<unknown> =>
    Object.values((await query(cluster.adminUrl, `SHOW ${name}`))[0] ?? {})[0];
  expect(await show('fsync')).toBe('on');
  expect(await show('synchronous_commit')).toBe('on');
  expect(await show('listen_addresses')).toBe('127.0.0.1');
  expect(await show('unix_socket_directories')).toBe('');
  expect(await show('max_connections')).toBe('17');
  expect(await show('server_encoding')).toBe('UTF8');
  const rules = await query(cluster.adminUrl, 'SELECT DISTINCT auth_method FROM pg_hba_file_rules');
  expect(rules).toEqual([{ auth_method: 'scram-sha-256' }]);
});

test('a wrong password is refused, by the server and at start-up', async () => {
  const cluster = await start('password');
  const wrong = new URL(cluster.adminUrl);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  await cluster.stop();
  const again = startPostgresCluster({
    dataDirectory: cluster.dataDirectory,
    port: await findFreePort(),
    superuserPassword: 'wrong',
  });
  await expect(again).rejects.toThrow('the password is not the one that this cluster was created with');
});

test('a taken port is an error that names it, and nothing is made', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as { port: number };
  const dataDirectory = path.join(root, 'taken');
  const failed = startPostgresCluster({ dataDirectory, port, superuserPassword });
  await expect(failed).rejects.toThrow(PortTakenError);
  await expect(failed).rejects.toThrow(String(port));
  await expect(readFile(dataDirectory)).rejects.toMatchObject({ code: 'ENOENT' });
  blocker.close();
});

test('a directory with other content is left unchanged', async () => {
  const dataDirectory = path.join(root, 'other');
  await mkdir(dataDirectory);
  await writeFile(path.join(dataDirectory, 'letter.txt'), 'mine');
  const failed = startPostgresCluster({ dataDirectory, port: await findFreePort(), superuserPassword });
  await expect(failed).rejects.toThrow('is not empty and holds no Postgres cluster');
  await expect(readFile(path.join(dataDirectory, 'letter.txt'), 'utf8')).resolves.toBe('mine');
});

test('a file in place of the directory is named, and left unchanged', async () => {
  const file = path.join(root, 'file');
  await writeFile(file, 'mine');
  const failed = startPostgresCluster({
    dataDirectory: file,
    port: await findFreePort(),
    superuserPassword,
  });
  await expect(failed).rejects.toThrow(DirectoryUnusableError);
  await expect(failed).rejects.toThrow(`The data directory ${file} cannot be used: it is not a directory.`);
  await expect(readFile(file, 'utf8')).resolves.toBe('mine');
});

test('a cluster that cannot be made leaves nothing behind, and is said in the words of the program', async () => {
  const dataDirectory = path.join(root, 'full');
  const initdb = path.join(root, 'initdb.sh');
  // Of a start that was killed.
  for (const left of ['full.initialising', 'full.password']) {
    await mkdir(path.join(root, left));
    await writeFile(path.join(root, left, 'password'), 'left');
  }
  await writeFile(initdb, '#!/bin/sh\necho "FATAL: No space left on device" >&2\nexit 1\n', { mode: 0o755 });
  const failed = initializeDataDirectory(
    dataDirectory,
    superuserPassword,
    { initdb, postgres: initdb, version: '18.4' },
    undefined,
  );
  await expect(failed).rejects.toThrow(StartError);
  await expect(failed).rejects.toMatchObject({
    message: `No cluster could be created in ${dataDirectory}:\nFATAL: No space left on device`,
  });
  expect((await readdir(root)).filter((name) => name.startsWith('full'))).toEqual(['full']);
  expect(await readdir(dataDirectory)).toEqual([]);
});

test('starts over a postmaster.pid whose number now belongs to another program', async () => {
  const first = await start('stale-file');
  const file = path.join(first.dataDirectory, 'postmaster.pid');
  const content = await readFile(file, 'utf8');
  await query(first.adminUrl, 'CREATE TABLE kept (n int)');
  await first.stop();
  const stranger = spawn('sleep', ['60']);
  await writeFile(file, content.replace(/^\d+/, String(stranger.pid)));
  const second = await start('stale-file');
  expect(await query(second.adminUrl, 'SELECT n FROM kept')).toEqual([]);
  expect(stranger.exitCode).toBeNull();
  stranger.kill();
});

test('takes over the directory from a server that an earlier run left running', async () => {
  const first = await start('left');
  await query(first.adminUrl, 'CREATE TABLE kept (n int)');
  const second = await start('left');
  await first.exited;
  expect(isAlive(first.pid)).toBe(false);
  expect(await query(second.adminUrl, 'SELECT n FROM kept')).toEqual([]);
});

test('recovers what was committed when the server was killed', async () => {
  const first = await start('killed');
  await query(first.adminUrl, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)');
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const second = await start('killed');
  expect(await query(second.adminUrl, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
});
