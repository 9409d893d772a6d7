import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Pool } from 'pg';
import { classifyFailure } from '../../src/db/failure';
import { openDatabase, openPipelinedPool } from '../../src/db/pools';
import { openQueuePool } from '../../src/relay/queue-pool';
import { createLogger } from '../../src/telemetry/logger';
import { answerFalse, startSlowPostgres, type SlowPostgres } from '../support/slow-postgres';

const log = createLogger('test', 'silent');

let postgres: SlowPostgres;
beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  postgres = await startSlowPostgres();
});
afterEach(async () => {
  await postgres.stop();
  jest.useRealTimers();
});

test.each<[string, () => Pool]>([
  [
    'of check and track',
    () => openPipelinedPool(postgres.url, { max: 1, applicationName: 'time-outs', log }),
  ],
  ['of the relay', () => openQueuePool(postgres.url, 1, log)],
])(
  'the pool %s gives a connection to the next caller if the one it was made for no longer waits',
  async (_name, open) => {
    const pool = open();
    const lost = await pool.connect();
    const asked = new Promise<Socket>((resolve) => (postgres.onQuery = resolve));
    const waiting = pool.connect().catch((error: unknown) => error);
    lost.release(true);
    const socket = await asked;
    jest.advanceTimersByTime(5_000);
    expect(classifyFailure(await waiting)).toBe('connection');
    postgres.onQuery = undefined;
    answerFalse(socket);
    const next = await pool.connect();
    next.release();
    await pool.end();
  },
);

test('a connection that is not answered is closed when the pool of the api gives it up', async () => {
  postgres.answers = false;
  const database = openDatabase(postgres.url, { max: 1, applicationName: 'time-outs', log });
  const failed = database.raw('SELECT 1').catch((error: unknown) => error);
  while (postgres.sockets.size === 0) await new Promise(setImmediate);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(classifyFailure(await failed)).toBe('connection');
  const [socket] = postgres.sockets;
  if (socket === undefined) throw new Error('It did not connect.');
  const closed = once(socket, 'close');
  await jest.advanceTimersByTimeAsync(25_000);
  await closed;
  await database.destroy();
});
