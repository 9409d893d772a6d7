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

/** Below the ports that systems give to outgoing connections, which may take one before a server listens on it. */
const [FIRST_PORT, LAST_PORT] = [10_000, 31_999];
const PORTS = LAST_PORT - FIRST_PORT + 1;

/** Processes that choose at the same time begin far from each other: consecutive ones by the golden ratio. */
let place = (process.pid * 13_597) % PORTS;

/**
 * A TCP port of the loopback interface that is free. Nothing keeps it until a server listens there.
 *
 * @throws Error when all of them are taken
 */
export async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried += 1) {
    const port = FIRST_PORT + place;
    place = (place + 1) % PORTS;
    if (await isPortFree(port)) return port;
  }
  throw new Error(`Every port from ${FIRST_PORT} to ${LAST_PORT} is taken.`);
}

/** Whether a server could listen on this port of the loopback now. */
async function isPortFree(port: number): Promise<boolean> {
  return !(await answers(port)) && (await canListen(port));
}

/**
 * @param what the server that wants the port, for the message
 * @param fix what the reader can do, without a full stop
 * @throws PortTakenError when another process listens there
 */
export async function assertPortFree(port: number, what: string, fix: string): Promise<void> {
  if (!(await isPortFree(port))) throw new PortTakenError(port, what, fix);
}

/** Some systems let a second server listen on 127.0.0.1 beside one on all addresses, so listening alone proves little. */
async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST, timeout: 1_000 });
    const done = (answered: boolean) => () => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', done(true)).once('error', done(false));
    // After a pause of this process the time is over, and the answer still to be read.
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
