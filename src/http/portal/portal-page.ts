import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type Router from '@koa/router';
import helmet from 'koa-helmet';
import type { Context, Middleware } from 'koa';
import { staticFile } from '../docs/static-file';
import { refuseForeignOrigins } from '../auth/origin-check';

/** Where `npm run build` puts the page: beside the compiled code, which may be this, or beside the sources. */
const PLACES = ['../../../portal-page', '../../../dist/portal-page'].map((place) =>
  path.join(__dirname, place),
);

/** The directory of the built page; undefined where it has not been built. */
export function findPortalPage(): string | undefined {
  return PLACES.find((place) => existsSync(path.join(place, 'index.html')));
}

/** What the page may do: its own scripts, styles and images, calls to its own host, and nothing else. */
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

/** Headers of everything under `/portal`, and no change that a page of another origin asks for. */
export function portalWalls(hostUrl: string): Middleware {
  const refuse = refuseForeignOrigins(hostUrl);
  return async (ctx, next) => {
    // The router does not mind the case of letters; neither may the walls.
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
/** An asset's name holds a hash of its content. */
const FOREVER = 'public, max-age=31536000, immutable';

/** The customer's page: one document, the same for everybody, and its assets. @param directory as `npm run build` made it */
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
