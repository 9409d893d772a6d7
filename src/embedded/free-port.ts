import { connect, createServer } from 'node:net';
import { errorCode } from '../domain/errors';

const HOST = '127.0.0.1';

/** Another process listens on a port that a server needs. */
export class PortTakenError extends Error {
  override name = 'PortTakenError';
  constructor(
    readonly port: number,
    what: string,
    alternative: string,
  ) {
    super(
      `Port ${port} on ${HOST}, wanted for ${what}, is taken: stop what listens there, or ${alternative}.`,
    );
  }
}

/** This account may not listen on a port that a server needs. */
export class PortForbiddenError extends Error {
  override name = 'PortForbiddenError';
  constructor(port: number, what: string, alternative: string) {
    super(
      `This account may not listen on port ${port}, wanted for ${what}: ${alternative}, from 1024 upwards.`,
    );
  }
}

/** Below the range that systems use for outgoing connections, which might take a port before a server listens on it. */
const [FIRST_PORT, LAST_PORT] = [10_000, 31_999];
const PORTS = LAST_PORT - FIRST_PORT + 1;

/**
 * Spreads the starting points of processes that choose at the same time: consecutive pids are placed by the golden
 * ratio.
 */
let place = (process.pid * 13_597) % PORTS;

/**
 * Returns a free TCP port of the loopback interface. It is not reserved until a server listens there.
 *
 * @throws Error if all of them are taken
 */
export async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried += 1) {
    const port = FIRST_PORT + place;
    place = (place + 1) % PORTS;
    if (await isPortFree(port)) return port;
  }
  throw new Error(`Every port from ${FIRST_PORT} to ${LAST_PORT} is taken.`);
}

/** Whether a server could now listen on this port of the loopback interface. */
async function isPortFree(port: number): Promise<boolean> {
  return (await obstacleTo(port)) === undefined;
}

/** Returns the code of the error that a server which listens on this port would get now; undefined if none. */
async function obstacleTo(port: number): Promise<string | undefined> {
  return (await answers(port)) ? 'EADDRINUSE' : listenError(port);
}

/**
 * @param what the server that needs the port, for the message
 * @param alternative how the reader chooses another port, as in "choose another port"
 * @throws PortTakenError if another process listens there, PortForbiddenError if this account may not
 */
export async function assertPortFree(port: number, what: string, alternative: string): Promise<void> {
  const obstacle = await obstacleTo(port);
  if (obstacle === 'EACCES') throw new PortForbiddenError(port, what, alternative);
  if (obstacle !== undefined) throw new PortTakenError(port, what, alternative);
}

/**
 * Whether a server answers on the port. Some systems let a second server listen on 127.0.0.1 alongside one on all
 * addresses, so trying to listen is not sufficient.
 */
async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST, timeout: 1_000 });
    const done = (answered: boolean) => () => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', done(true)).once('error', done(false));
    // If this process was paused, the timeout may fire before the answer is read.
    socket.once('timeout', () => setImmediate(done(true)));
  });
}

async function listenError(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      resolve(errorCode(error) ?? 'unknown');
    });
    server.listen(port, HOST, () => {
      server.close(() => {
        resolve(undefined);
      });
    });
  });
}
