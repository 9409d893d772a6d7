import { gzipSync } from 'node:zlib';
import { useService } from '../support/use-service';

const service = useService();

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.urls.console + path, { headers });

test.each([
  '/',
  '/sign-in',
  '/invite',
  '/invite/abc',
  '/reset',
  '/reset/abc',
  '/o/acme/sandbox',
  '/o/acme/sandbox/subscriptions/sub_1',
  '/account',
])('%s is the console', async (path) => {
  const answer = await get(path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.text()).toContain('<div id="root"></div>');
});

test('its policy allows no inline code, no other host, and only styles with the nonce of this response', async () => {
  const answers = await Promise.all([get('/'), get('/')]);
  const nonces = answers.map(({ headers }) => {
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toContain('unsafe');
    return /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  });
  expect(new Set(nonces).size).toBe(2);
  const pages = await Promise.all(answers.map((answer) => answer.text()));
  pages.forEach((page, index) => {
    expect(page).toContain(nonces[index]);
    // The name of an asset may contain `__`.
    expect(page).not.toMatch(/__(?:CSP_NONCE|CONSOLE_CONFIG)__/);
  });
});

test('an asset is kept for ever, and compressed', async () => {
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text())?.[1] ?? '';
  const answer = await get(script, { 'Accept-Encoding': 'gzip' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toContain('immutable');
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test('at most 260 KB of compressed script is loaded before the first page', async () => {
  const paths = (await (await get('/')).text()).match(/\/assets\/[^"]+\.js/g) ?? [];
  expect(paths.length).toBeGreaterThan(0);
  const sizes = paths.map(
    async (path) => gzipSync(Buffer.from(await (await get(path)).arrayBuffer())).length,
  );
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeLessThan(260_000);
});

test.each(['/assets/none.js', '/assets/..%2findex.html', '/nothing', '/oo', '/api/nothing'])(
  '%s is not found',
  async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  },
);

test('its settings cannot break out of their script element, and contain no secret', async () => {
  const page = await (await get('/', { Cookie: 'tollgate_session=</script><script>alert(1)' })).text();
  expect(page).not.toContain('alert(1)');
  const config = /id="console-config"[^>]*>([^<]*)</.exec(page)?.[1] ?? '';
  expect(Object.keys(JSON.parse(config) as object).sort()).toEqual(['apiUrls', 'hasSession', 'temporal']);
});
