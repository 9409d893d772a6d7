import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from './listen-locally';

export interface SilentProxy {
  port: number;
  /** Stops all traffic in both directions, on existing and new connections. */
  silence(): void;
  /** Forwards new connections again; existing ones stay silent, as on a broken route. */
  speak(): void;
  stop(): Promise<void>;
}

/** Starts a proxy to a port of this machine. When silenced, it stops forwarding but closes no connection. */
export async function startSilentProxy(target: number): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => other.write(bytes));
      socket.on('close', () => {
        sockets.delete(socket);
        if (!isSilent) other.destroy();
      });
      if (isSilent) socket.pause();
    }
  });
  const port = await listenLocally(server);
  return {
    port,
    silence: () => {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    speak: () => {
      isSilent = false;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
