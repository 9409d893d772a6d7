import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { assertPortFree, findFreePort } from '../../src/embedded/free-port';

/** Blocks the process for longer than the timeout for an answer of the port. */
const pauseOfTheProcess = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
};

test('a port is free also where this process stood still while it was asked', async () => {
  const port = await findFreePort();
  const result = assertPortFree(port, 'Postgres', 'choose another');
  process.nextTick(pauseOfTheProcess);
  await expect(result).resolves.toBeUndefined();
});

test('a port that is listened on is taken, also after such a pause', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const result = assertPortFree(port, 'Postgres', 'choose another');
  process.nextTick(pauseOfTheProcess);
  await expect(result).rejects.toThrow(
    `Port ${port} on 127.0.0.1, wanted for Postgres, is taken: choose another.`,
  );
  server.close();
});
