import Koa from 'koa';
import type { AddressInfo } from 'node:net';

/**
 * Process of the first yardstick: Koa that answers a few bytes and reads nothing. A separate process, so that neither
 * its code nor its garbage is optimized together with the service's. Sends its port to its parent.
 */
const app = new Koa();
app.use((ctx) => {
  ctx.body = 'ok';
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.once('disconnect', () => process.exit(0));
