import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, type Registry } from 'prom-client';

export interface MetricsServer {
  /** The port in use, chosen by the system if 0 was requested. */
  port: number;
  stop(): Promise<void>;
}

/** Whether a process can do its work, and the states that determine it. */
export type ProcessState = { ready: boolean } & Record<string, unknown>;

/**
 * Serves `/metrics` for Prometheus on a separate port, so that it is never public by accident. With `state`, also
 * `/healthz` and `/readyz`, for a process that serves nothing else.
 *
 * @param state must not reject
 */
export async function startMetricsServer(
  registry: Registry,
  address: { host: string; port: number },
  state?: () => Promise<ProcessState>,
): Promise<MetricsServer> {
  collectDefaultMetrics({ register: registry });
  const pages: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/metrics': async (response) => {
      const text = await registry.metrics();
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    },
    ...(state && {
      '/healthz': async (response) => {
        sendJson(response, 200, { status: 'ok' });
        await Promise.resolve();
      },
      '/readyz': async (response) => {
        const { ready, ...rest } = await state();
        sendJson(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready', ...rest });
      },
    }),
  };
  const server = createServer((request, response) => {
    const page = Object.hasOwn(pages, request.url ?? '') ? pages[request.url ?? ''] : undefined;
    if (page === undefined) {
      response.writeHead(404).end();
      return;
    }
    page(response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
