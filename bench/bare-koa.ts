import Koa from 'koa';
import type { AddressInfo } from 'node:net';

/**
 * The process of the first yardstick: Koa that answers a few bytes and reads nothing. A process of its own, so that
 * neither its code nor its garbage is optimised together with the service's. Tells its parent the port.
 */
const app = new Koa();
app.use((ctx) => {
  ctx.body = 'ok';
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.once('disconnect', () => process.exit(0));
