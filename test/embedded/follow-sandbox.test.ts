import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { followSandbox } from '../../src/embedded/simulators';

const SANDBOX = 1_000_000;
let control: Server;
afterEach(() => control.close());

/** Follows simulators whose clock returns these readings in turn and cannot be moved back. */
async function follow(...readings: number[]): Promise<number> {
  let moves = 0;
  control = createServer((request, answer) => {
    if (request.method === 'POST') {
      moves += 1;
      answer.writeHead(400).end('{"error":"The clock cannot be moved back."}');
      return;
    }
    answer.setHeader('Content-Type', 'application/json');
    answer.end(JSON.stringify({ now: readings.length > 1 ? readings.shift() : readings[0] }));
  });
  control.listen(0, '127.0.0.1');
  await once(control, 'listening');
  const { port } = control.address() as AddressInfo;
  const ports = { a: 0, b: 0, c: 0, control: port };
  await followSandbox({ ports, sandboxNow: () => Promise.resolve(SANDBOX) });
  return moves;
}

test('simulators that are not behind are left unchanged', async () => {
  expect(await follow(SANDBOX)).toBe(0);
});

test('simulators that were a moment behind, and get there by themselves before they are moved, have followed', async () => {
  expect(await follow(SANDBOX - 1, SANDBOX + 1)).toBe(1);
});

test('simulators that stay behind have not followed', async () => {
  await expect(follow(SANDBOX - 1)).rejects.toThrow('cannot be moved back');
});
