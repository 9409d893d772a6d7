import { createServer } from 'node:net';
import { pino } from 'pino';
import { openQueuePool } from '../../src/relay/queue-pool';
import { listenLocally } from '../support/listen-locally';

/** Postgres's answer to a connection while it starts. */
function refusal(): Buffer {
  const fields = Buffer.from('SFATAL\0C57P03\0Mthe database system is starting up\0\0');
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

test('a connection that Postgres refuses while it starts fails without the code that the job runner would wait for', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.end(refusal())));
  const port = await listenLocally(server);
  const url = `postgres://tollgate_relay@127.0.0.1:${port}/tollgate`;
  const pool = openQueuePool(url, 1, pino({ level: 'silent' }));
  const error: unknown = await pool.connect().catch((failure: unknown) => failure);
  expect(error).toMatchObject({ message: 'the database system is starting up', cause: { code: '57P03' } });
  expect(error).not.toHaveProperty('code');
  await pool.end();
  server.close();
});
