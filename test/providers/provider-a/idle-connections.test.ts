import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { clientFor } from '../../../src/providers/provider-a/client';

/** Longer than an idle connection is kept. */
const SLOW_MS = 4_500;

let server: Server;
const connections: Socket[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void pause(request.url?.includes('slow') === true ? SLOW_MS : 0).then(() => {
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
  });
  // The server closes no connection on its own.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket: Socket) => connections.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a connection is used again, however long the answer takes, and closed when nothing uses it', async () => {
  const { port } = server.address() as AddressInfo;
  const client = clientFor({
    connectionId: 'conn_1',
    apiMode: 'sandbox',
    settings: {},
    secretVersion: 1,
    secrets: { secretKey: 'sk_test_1' },
    baseUrl: `http://127.0.0.1:${port}`,
  });
  await client.customers.retrieve('quick');
  await client.customers.retrieve('slow');
  const [connection, ...others] = connections;
  expect(others).toEqual([]);
  if (connection?.closed === false) await once(connection, 'close');
  expect(connection?.closed).toBe(true);
});
