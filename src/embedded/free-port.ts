import { connect, createServer } from 'node:net';

const HOST = '127.0.0.1';

/** Another process listens on a port that a server needs. */
export class PortTakenError extends Error {
  override name = 'PortTakenError';
  constructor(
    readonly port: number,
    what: string,
    fix: string,
  ) {
    super(`Port ${port} on ${HOST}, wanted for ${what}, is taken: ${fix}.`);
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
  return !(await answers(port)) && (await canListen(port));
}

/**
 * @param what the server that needs the port, for the message
 * @param fix what the reader can do, without a full stop
 * @throws PortTakenError if another process listens there
 */
export async function assertPortFree(port: number, what: string, fix: string): Promise<void> {
  if (!(await isPortFree(port))) throw new PortTakenError(port, what, fix);
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

async function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, HOST, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
