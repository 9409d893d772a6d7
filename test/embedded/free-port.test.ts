import { once } from 'node:events';
import { createServer, Server, type AddressInfo } from 'node:net';
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
    `Port ${port} on 127.0.0.1, wanted for Postgres, is taken: stop what listens there, or choose another.`,
  );
  server.close();
});

test('a port that this account may not listen on is not called taken', async () => {
  const port = await findFreePort();
  const listen = jest.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    process.nextTick(() => this.emit('error', Object.assign(new Error('listen EACCES'), { code: 'EACCES' })));
    return this;
  });
  const result = assertPortFree(port, 'the console', 'set TOLLGATE_CONSOLE_PORT to another port');
  await expect(result).rejects.toThrow(
    `This account may not listen on port ${port}, wanted for the console: set TOLLGATE_CONSOLE_PORT to another port, from 1024 upwards.`,
  );
  listen.mockRestore();
});
