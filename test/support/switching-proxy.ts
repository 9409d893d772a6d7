import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from './listen-locally';

export interface SwitchingProxy {
  port: number;
  /** Ends all connections and each new one, as if the process behind it had died. */
  cut(): void;
  /** Lets the open connections and each new one carry nothing, without ending them, as after a lost route. */
  freeze(): void;
  /** Sends new connections to this port of this machine. */
  aim(port: number): void;
  stop(): Promise<void>;
}

/** Starts a proxy with a fixed address in front of processes that come and go. */
export async function startSwitchingProxy(first: number): Promise<SwitchingProxy> {
  let target: number | 'nowhere' | undefined = first;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    if (target === undefined) {
      near.destroy();
      return;
    }
    if (target === 'nowhere') {
      keep(near.pause());
      return;
    }
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      keep(socket);
      socket.on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  const port = await listenLocally(server);
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cut: () => {
      target = undefined;
      end();
    },
    freeze: () => {
      target = 'nowhere';
      for (const socket of sockets) socket.unpipe().pause();
    },
    aim: (port) => {
      target = port;
    },
    stop: async () => {
      end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
