import type { Route } from '../../src/http/route';
import type { Services } from '../../src/service/services';

/** Builds a host's routes for reading their declarations only; their handlers have no service behind them. */
export function routesOf(build: (services: Services) => Route[]): Route[] {
  const nothing: unknown = new Proxy(() => nothing, {
    get: (_, name) =>
      name === 'urls'
        ? {
            console: 'http://console.test',
            sandbox: 'http://sandbox.test',
            production: 'http://production.test',
          }
        : nothing,
  });
  return build(nothing as Services);
}
