import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SwitchingProxy {
  port: number;
  /** Ends all connections and each new one, as if the process behind it had died. */
  cut(): void;
  /** Sends new connections to this port of this machine. */
  aim(port: number): void;
  stop(): Promise<void>;
}

/** Starts a proxy with a fixed address in front of processes that come and go. */
export async function startSwitchingProxy(first: number): Promise<SwitchingProxy> {
  let target: number | undefined = first;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (target === undefined) {
      near.destroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      target = undefined;
      end();
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
