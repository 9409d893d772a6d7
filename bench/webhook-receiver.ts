import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The integrators' receivers, in a separate process: `/living/<n>` answers at once, `/dead/<n>` never. Sends the port
 * to its parent, and on request how long each message to a living one was in transit (milliseconds).
 */
let latencies: number[] = [];
const seen = new Set<string>();

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  request.on('error', () => undefined);
  request.on('end', () => {
    if (request.url?.startsWith('/dead') === true) return;
    const id = String(request.headers['webhook-id']);
    if (!seen.has(id)) {
      seen.add(id);
      const { timestamp } = JSON.parse(body) as { timestamp: string };
      latencies.push(Date.now() - Date.parse(timestamp));
    }
    response.statusCode = 204;
    response.end();
  });
});
server.keepAliveTimeout = 1_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => {
  process.send?.({ latencies });
  latencies = [];
});
process.once('disconnect', () => process.exit(0));
