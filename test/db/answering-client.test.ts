import { createServer, type Socket } from 'node:net';
import { connectAnswering } from '../../src/db/answering-client';
import { listenLocally } from '../support/listen-locally';

test('an address that takes connections and says nothing is named, with what to look at', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  const port = await listenLocally(silent);
  try {
    const url = `postgres://tollgate_app:secret@127.0.0.1:${port}/tollgate`;
    await expect(connectAnswering(url, { timeoutMs: 50 })).rejects.toThrow(
      `Postgres at 127.0.0.1:${port} has not answered within 0.05 s. Check that it is running, and that the database address of this process leads to it.`,
    );
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});

test('one that refuses connections says so itself', async () => {
  await expect(connectAnswering('postgres://tollgate_app@127.0.0.1:1/tollgate')).rejects.toThrow(
    'ECONNREFUSED',
  );
});
