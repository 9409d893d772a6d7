import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { findFreePort } from '../../src/embedded/free-port';
import { startTemporalServer } from '../../src/embedded/temporal-server';

let directory: string;
let cliPath: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tollgate-temporal-'));
  const configured = process.env['TEMPORAL_CLI_PATH'];
  if (configured === undefined)
    throw new Error('Set TEMPORAL_CLI_PATH, or run this with npm test, which sets it.');
  cliPath = configured;
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('keeps workflows over a stop and a second start', async () => {
  const databaseFile = path.join(directory, 'temporal.db');
  const start = async () => startTemporalServer({ cliPath, port: await findFreePort(), databaseFile });
  const first = await start();
  const connection = await Connection.connect({ address: first.address });
  const client = new Client({ connection });
  await client.workflow.start('waits', { workflowId: 'kept', taskQueue: 'nobody' });
  await connection.close();
  await first.stop();

  const second = await start();
  const again = await Connection.connect({ address: second.address });
  const { status } = await new Client({ connection: again }).workflow.getHandle('kept').describe();
  await again.close();
  await second.stop();
  expect(status.name).toBe('RUNNING');
});

test('starts if the environment names a proxy', async () => {
  process.env['https_proxy'] = 'http://127.0.0.1:1';
  try {
    const server = await startTemporalServer({ cliPath, port: await findFreePort() });
    await server.stop();
  } finally {
    delete process.env['https_proxy'];
  }
});

test('a taken port is an error that names it', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as { port: number };
  await expect(startTemporalServer({ cliPath, port })).rejects.toThrow(`Port ${port} on 127.0.0.1`);
  blocker.close();
});

test('a start that is stopped does not wait for the server', async () => {
  const silent = path.join(directory, 'silent');
  await writeFile(silent, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const stop = new AbortController();
  const failed = startTemporalServer({
    cliPath: silent,
    port: await findFreePort(),
    stopped: stop.signal,
  });
  stop.abort(new Error('it was stopped'));
  await expect(failed).rejects.toThrow('Temporal did not start: it was stopped');
});

test('the error of a program that ends includes what it printed', async () => {
  const failed = startTemporalServer({
    cliPath,
    port: await findFreePort(),
    extraArguments: ['--no-such-flag'],
  });
  await expect(failed).rejects.toThrow(/Temporal did not start: it ended with code 1[\s\S]*no-such-flag/);
});
