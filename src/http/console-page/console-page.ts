import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { SECRET_LINK_PAGES } from '../../domain/secret-links';
import { staticFile } from '../docs/static-file';
import { contentSecurityPolicy } from './content-security-policy';

/** What the page must know before its first request. It holds no secret, because every visitor receives it. */
export interface ConsolePageConfig {
  /** Base URLs of the API hosts, for the examples that the page shows. */
  apiUrls: { sandbox: string; production: string };
  /** Base URL of the Temporal UI and the namespace of the workflows; null if no UI is configured. */
  temporal: { uiUrl: string; namespace: string } | null;
}

/** The page selects the view from the address itself. Everything else on this host is the API, or not found. */
const VIEWS = [
  '/',
  '/sign-in',
  // Links of earlier versions have their token in the path.
  ...Object.values(SECRET_LINK_PAGES).flatMap((page) => [page, `${page}/{*rest}`]),
  '/o/{*rest}',
  '/account',
  '/platform/{*rest}',
];

const MEDIA_TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** An asset's name contains a hash of its content. */
const FOREVER = 'public, max-age=31536000, immutable';
/** Placeholders in the built page for values that differ with each answer. */
const NONCE = '__CSP_NONCE__';
const CONFIG = '__CONSOLE_CONFIG__';

/**
 * Serves the operators' console: one page for all its views, and its assets.
 *
 * @param directory built by `npm run build`
 * @param hasSession whether the browser sends a session, valid or not: without one the page makes no request before it
 *   shows the sign-in
 */
export function consolePage(
  directory: string,
  config: ConsolePageConfig,
  hasSession: (ctx: Context) => boolean,
): (router: Router) => void {
  const document = readFileSync(path.join(directory, 'index.html'), 'utf8');
  const pageFor = (ctx: Context, nonce: string): string =>
    document
      .replaceAll(NONCE, nonce)
      .replace(CONFIG, () => asScriptData({ ...config, hasSession: hasSession(ctx) }));
  const assets = readdirSync(path.join(directory, 'assets'));
  return (router) => {
    for (const view of VIEWS)
      router.get(view, (ctx: Context) => {
        const nonce = randomBytes(16).toString('base64');
        ctx.set('Content-Security-Policy', contentSecurityPolicy(nonce));
        ctx.set('Cache-Control', 'no-store');
        ctx.type = 'text/html';
        ctx.body = pageFor(ctx, nonce);
      });
    for (const asset of assets)
      router.get(
        `/assets/${asset}`,
        staticFile({
          type: MEDIA_TYPES[path.extname(asset)] ?? 'application/octet-stream',
          cache: FOREVER,
          read: () => readFile(path.join(directory, 'assets', asset)),
        }),
      );
  };
}

/** Encodes JSON for a script element, which only `<` could end. */
function asScriptData(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
