import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type Router from '@koa/router';
import helmet from 'koa-helmet';
import type { Context, Middleware } from 'koa';
import { staticFile } from '../docs/static-file';
import { refuseForeignOrigins } from '../auth/origin-check';

/** Where `npm run build` puts the page, relative to the compiled code or to the sources. */
const PLACES = ['../../../portal-page', '../../../dist/portal-page'].map((place) =>
  path.join(__dirname, place),
);

/** Returns the directory of the built page; undefined if it has not been built. */
export function findPortalPage(): string | undefined {
  return PLACES.find((place) => existsSync(path.join(place, 'index.html')));
}

/** Restricts the page to its own scripts, styles and images, and to calls to its own host. */
const strictHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ["'none'"],
    },
  },
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: { includeSubDomains: false },
});

/** Sets the headers of everything under `/portal`, and refuses changes requested by another origin's page. */
export function portalWalls(hostUrl: string): Middleware {
  const refuse = refuseForeignOrigins(hostUrl);
  return async (ctx, next) => {
    // The router ignores case, so this check must too.
    if (!/^\/portal(?:\/|$)/i.test(ctx.path)) {
      await next();
      return;
    }
    await strictHeaders(ctx, async () => {
      await refuse(ctx, next);
    });
  };
}

const MEDIA_TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
/** An asset's name contains a hash of its content. */
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * Serves the customer's page: one document, the same for all customers, and its assets.
 *
 * @param directory built by `npm run build`
 */
export function portalPage(directory: string): (router: Router) => void {
  const document = readFileSync(path.join(directory, 'index.html'), 'utf8');
  const assets = readdirSync(path.join(directory, 'assets'));
  return (router) => {
    router.get('/portal', (ctx: Context) => {
      ctx.type = 'text/html';
      ctx.body = document;
    });
    for (const asset of assets)
      router.get(
        `/portal/assets/${asset}`,
        staticFile({
          type: MEDIA_TYPES[path.extname(asset)] ?? 'application/octet-stream',
          cache: FOREVER,
          read: () => readFile(path.join(directory, 'assets', asset)),
        }),
      );
  };
}
