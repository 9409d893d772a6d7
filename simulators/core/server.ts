import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from 'koa';
import type Koa from 'koa';
import getRawBody from 'raw-body';

const BODY_LIMIT = '1mb';
/**
 * Like the providers', longer than callers keep their connections. With Node's five seconds, a caller that was paused
 * for that long sent its next request on a connection that was being closed.
 */
const KEEP_ALIVE_MS = 65_000;

const bodies = new WeakMap<IncomingMessage, Promise<Buffer>>();

/** Reads the bytes of a request's body, once. @throws an error with a status when there are more than 1 MB */
export function readBody({ req }: Context): Promise<Buffer> {
  const body = bodies.get(req) ?? getRawBody(req, { limit: BODY_LIMIT });
  bodies.set(req, body);
  return body;
}

/** Listens on 127.0.0.1. @param port 0 takes a free one */
export async function listen(app: Koa, port: number): Promise<{ url: string; stop: () => Promise<void> }> {
  const handle = app.callback();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void handle(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
