import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type Router from '@koa/router';
import helmet from 'koa-helmet';
import type { Environment } from '../../domain/environment';
import { openApiDocument } from '../openapi/document';
import type { Route } from '../route';
import { errorsPage, frontPage, icon, stylesheet, referencePage, referenceScript } from './pages';
import { webhooksPage } from './webhooks-page';
import { staticFile } from './static-file';

const REFERENCE = path.dirname(require.resolve('swagger-ui-dist/package.json'));
const REFERENCE_ASSETS = [
  ['swagger-ui.css', 'text/css'],
  ['swagger-ui-bundle.js', 'text/javascript'],
] as const;

/** Long enough that a reader loads them once, short enough that an upgrade shows the same day. */
const ASSET_CACHE = 'public, max-age=3600';

/** Restricts the pages to loading from and calling this host. The reference's icons are data URLs. */
export const secureHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // For browsers without `frame-ancestors`.
  frameguard: { action: 'deny' },
  // A deployment's other names under the same domain are not ours to restrict.
  strictTransportSecurity: { includeSubDomains: false },
});

/**
 * Serves `/openapi.json`, the API reference and the error codes of one host. The reference calls its own host, so that
 * the API hosts need no CORS: a key does not belong in any other page.
 *
 * `/` describes the host, and links to them and to its health.
 *
 * @param options.lazy builds the document at its first request, which then takes a quarter of a second
 */
export function documentationPages(
  host: 'api' | 'console',
  routes: readonly Route[],
  { environment, lazy = false }: { environment?: Environment; lazy?: boolean },
): (router: Router) => void {
  const makeDocument = (): string =>
    JSON.stringify(openApiDocument(host, routes, [{ url: '/', description: 'This host' }]));
  const document = lazy ? makeDocument : makeDocument();
  const title = host === 'api' ? 'Tollgate API reference' : 'Tollgate console API reference';
  const files: Served[] = [
    { at: '/openapi.json', type: 'application/json', content: document },
    { at: '/', type: 'text/html', content: frontPage(environment ?? 'console') },
    { at: '/docs', type: 'text/html', content: referencePage(title) },
    { at: '/docs/errors', type: 'text/html', content: errorsPage() },
    ...(host === 'api' ? [{ at: '/docs/webhooks', type: 'text/html', content: webhooksPage() }] : []),
    { at: '/docs/assets/icon.svg', type: 'image/svg+xml', content: icon, cache: ASSET_CACHE },
    { at: '/docs/assets/docs.css', type: 'text/css', content: stylesheet, cache: ASSET_CACHE },
    {
      at: '/docs/assets/reference.js',
      type: 'text/javascript',
      content: referenceScript,
      cache: ASSET_CACHE,
    },
  ];
  return (router) => {
    for (const { at, content, ...file } of files)
      router.get(
        at,
        secureHeaders,
        staticFile({ ...file, read: () => Buffer.from(typeof content === 'string' ? content : content()) }),
      );
    for (const [asset, type] of REFERENCE_ASSETS) {
      const file = path.join(REFERENCE, asset);
      router.get(
        `/docs/assets/${asset}`,
        secureHeaders,
        staticFile({
          type,
          cache: ASSET_CACHE,
          read: () => readFile(file),
          modifiedAt: statSync(file).mtime,
        }),
      );
    }
  };
}

interface Served {
  at: string;
  type: string;
  content: string | (() => string);
  cache?: string;
}
