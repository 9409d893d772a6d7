import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';

/** Opens a Koa application on a port (0: any free one), with time-outs that a slow sender cannot stretch. */
export async function listen(
  app: Koa,
  host: string,
  port: number,
): Promise<{ server: Server; port: number }> {
  const handle = app.callback();
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 },
    (request, response) => {
      void handle(request, response);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/** How long an answer that is under way may take once the process is to end. */
const DRAIN_MS = 15_000;

/** Stops accepting and answers what was accepted; idle connections are closed at once. */
export async function stopListening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    // A busy connection falls idle after its answer, and would otherwise stay open for the keep-alive time.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
    }, 50);
    const deadline = setTimeout(() => {
      server.closeAllConnections();
    }, DRAIN_MS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}
