import { runInNewContext } from 'node:vm';
import request from 'supertest';
import { errorCatalogue } from '../../src/domain/errors';
import { useService } from '../support/use-service';

interface Reference {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: {
          name: string;
          in: string;
          required?: boolean;
          description?: string;
          example?: unknown;
          schema?: { example?: unknown };
        }[];
      }
    >
  >;
}

describe('the documentation pages', () => {
  const service = useService();

  const hosts = ['console', 'sandbox', 'production'] as const;
  const directives = (answer: Response): Map<string, string> =>
    new Map(
      (answer.headers.get('content-security-policy') ?? '').split(';').map((one) => {
        const [name = '', ...sources] = one.trim().split(' ');
        return [name, sources.join(' ')];
      }),
    );

  test.each(hosts)('/docs of the %s host fills in no optional query parameter', async (host) => {
    const url = `${service.urls[host]}/openapi.json`;
    const script = await (await fetch(`${service.urls[host]}/docs/assets/reference.js`)).text();
    let shown = { text: await (await fetch(url)).text(), url, ok: true };
    const start = (options: { responseInterceptor: (answer: typeof shown) => typeof shown }): void => {
      shown = options.responseInterceptor(shown);
    };
    runInNewContext(script, { window: { SwaggerUIBundle: start }, URL });
    const parameters = Object.values((JSON.parse(shown.text) as Reference).paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap((method) => method.parameters ?? [])
      .filter((parameter) => parameter.in === 'query' && parameter.required !== true);
    expect(parameters.length).toBeGreaterThan(10);
    expect(parameters.filter(({ example, schema }) => (example ?? schema?.example) !== undefined)).toEqual(
      [],
    );
    expect(parameters.find(({ name }) => name === 'from')?.description).toContain(
      'Example: `2026-01-31T00:00:00Z`',
    );
  });

  test.each(hosts)('/docs of the %s host loads from and calls its own host only', async (host) => {
    const answer = await fetch(`${service.urls[host]}/docs`);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/html');
    const policy = directives(answer);
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('style-src')).toBe("'self'");
    expect(policy.get('connect-src')).toBe("'self'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      expect(address).toMatch(/^\/(?!\/)/);
      expect((await fetch(service.urls[host] + address)).status).toBe(200);
    }
    // Scripts are in files, because the policy blocks inline ones.
    expect(html).not.toMatch(/<script>|<script [^>]*>[^<]|\son\w+=/);
  });

  test.each(hosts)('/docs/errors of the %s host explains every code under its anchor', async (host) => {
    const html = await (await fetch(`${service.urls[host]}/docs/errors`)).text();
    for (const [code, { status, title }] of Object.entries(errorCatalogue)) {
      expect(html).toContain(`id="${code}"`);
      expect(html).toContain(`${code}</a><small>${status}</small>`);
      expect(html).toContain(title.replaceAll(/`([^`]+)`/g, '<code>$1</code>').replaceAll("'", '&#39;'));
    }
  });

  test('a problem’s type leads to its explanation on the host that answered', async () => {
    const problem = (await (await fetch(`${service.urls.sandbox}/v1/events`)).json()) as { type: string };
    expect(problem.type).toBe('http://sandbox.test/docs/errors#api_key_missing');
  });

  // The front of the console's host is the console (test/console/page.test.ts).
  test.each(['sandbox', 'production'] as const)(
    'the front of the %s host says what it is, and leads to the reference and its health',
    async (host) => {
      const answer = await fetch(service.urls[host]);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(directives(answer).get('default-src')).toBe("'none'");
      const html = await answer.text();
      expect(html.toLowerCase()).toContain(`<h1>tollgate ${host} api</h1>`);
      for (const path of ['/docs', '/docs/errors', '/openapi.json', '/healthz', '/readyz']) {
        expect(html).toContain(`href="${path}"`);
        expect((await fetch(service.urls[host] + path)).status).toBe(200);
      }
    },
  );

  test('a page of another origin may not read the API: no host allows cross-origin calls', async () => {
    for (const host of hosts) {
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await fetch(`${service.urls[host]}/openapi.json`, {
          method,
          headers: { Origin: 'http://elsewhere.test' },
        });
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
    }
  });

  test('assets are named, cached and answered 304 when unchanged; nothing else of the package is there', async () => {
    const at = `${service.urls.console}/docs/assets`;
    const first = await fetch(`${at}/swagger-ui.css`);
    await first.arrayBuffer();
    expect(first.headers.get('cache-control')).toContain('max-age');
    // fetch would add `Cache-Control: no-cache`, which asks for the whole answer.
    const again = await request(at)
      .get('/swagger-ui.css')
      .set('If-Modified-Since', first.headers.get('last-modified') ?? '');
    expect(again.status).toBe(304);
    for (const path of ['package.json', '..%2Fpackage.json', 'swagger-ui-bundle.js.map', '']) {
      expect((await fetch(`${at}/${path}`)).status).toBe(404);
    }
  });

  test('another method is a 405 that names the right one', async () => {
    const answer = await fetch(`${service.urls.sandbox}/docs`, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
