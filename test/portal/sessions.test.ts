import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '../../src/domain/instant';
import type { Integrator } from '../support/integrator';
import { CatalogueSeeder } from '../support/catalogue';
import { createClient, logIn, type OperatorClient } from '../support/operator';
import { createKey, createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';
import { linkFor, portalIntegrator, Visitor } from './visitor';

const service = useService({ commands: 'direct' });
let workspace: TestWorkspace;
let operator: OperatorClient;
let app: Integrator;
let seed: CatalogueSeeder;
let customers = 0;

beforeAll(async () => {
  workspace = await createWorkspace(service.database);
  operator = await logIn(service, { role: 'admin', workspaceId: workspace.workspaceId });
  app = await portalIntegrator(service, workspace.sandbox);
  seed = new CatalogueSeeder(service.database, workspace.sandbox);
});
afterEach(() => {
  service.clock.ahead = 0;
});

async function customer(): Promise<{ id: string; externalId: string }> {
  customers += 1;
  const externalId = `visitor-${customers}`;
  return { id: await seed.customer(externalId), externalId };
}

/** Opens a customer's page and returns its visitor. */
async function visit(externalId: string, by = app): Promise<Visitor> {
  const visitor = new Visitor(by.baseUrl);
  expect((await visitor.open(await linkFor(by, externalId))).status).toBe(204);
  return visitor;
}

describe('a link', () => {
  test('is of the key’s host, holds the token behind #, and is answered once with its end', async () => {
    const { externalId } = await customer();
    const { status, body } = await app.send('POST', '/v1/portal-sessions', { externalId });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(['expiresAt', 'id', 'url']);
    expect(body['url']).toMatch(/^http:\/\/sandbox\.test\/portal#[\w-]{43}$/);
    const minutes = (Date.parse(String(body['expiresAt'])) - Date.now()) / MINUTE_MS;
    expect(minutes).toBeGreaterThan(29);
    expect(minutes).toBeLessThanOrEqual(30);
  });

  test('becomes a host-only, strict, invisible cookie, once', async () => {
    const { externalId } = await customer();
    const link = await linkFor(app, externalId);
    const visitor = new Visitor(app.baseUrl);
    const opened = await visitor.open(link);
    expect(opened.headers.get('set-cookie')).toMatch(
      /^__Host-tollgate_portal_sandbox=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=43200$/,
    );
    expect((await visitor.view()).status).toBe(200);
    const again = await new Visitor(app.baseUrl).open(link);
    expect(again).toMatchObject({ status: 404, body: { code: 'portal_link_invalid' } });
    expect(again.headers.get('set-cookie')).toBeNull();
    expect((await visitor.view()).status).toBe(200);
  });

  test('is opened by exactly one of many who come at the same time', async () => {
    const { externalId } = await customer();
    const link = await linkFor(app, externalId);
    const visitors = Array.from({ length: 8 }, () => new Visitor(app.baseUrl));
    const answers = await Promise.all(visitors.map((visitor) => visitor.open(link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(7).fill(404)]);
    const live = visitors.filter(({ cookie }) => cookie !== null);
    expect(live).toHaveLength(1);
    expect((await live[0]?.view())?.status).toBe(200);
  });

  test('opens nothing after thirty minutes, on the other host, or with another token', async () => {
    const { externalId } = await customer();
    const link = await linkFor(app, externalId);
    expect((await new Visitor(service.urls.production).open(link)).status).toBe(404);
    for (const token of [randomBytes(32).toString('base64url'), 'x', 'é'.repeat(43)]) {
      const guessed = await new Visitor(app.baseUrl).send('POST', 'session', { token });
      expect(guessed.body['code']).toBe('portal_link_invalid');
    }
    service.clock.ahead = 30 * MINUTE_MS + 1_000;
    expect((await new Visitor(app.baseUrl).open(link)).status).toBe(404);
    service.clock.ahead = 0;
    expect((await new Visitor(app.baseUrl).open(link)).status).toBe(204);
  });

  test('is not opened by loading its address', async () => {
    const { externalId } = await customer();
    const link = await linkFor(app, externalId);
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200);
    expect((await new Visitor(app.baseUrl).open(link)).status).toBe(204);
  });

  test.each([
    ['is revoked', 'revoke', undefined],
    ['is rolled without an overlap', 'roll', { overlapHours: 0 }],
  ])('opens nothing once its key %s, and its session is over', async (_how, act, body) => {
    const { externalId } = await customer();
    const made = await operator.post('/api/api-keys', {
      body: { name: 'leaked', scopes: ['subscriptions'] },
    });
    const leaked = { secret: String(made.body['secret']), id: String(made.body['id']) };
    const by = await portalIntegrator(service, workspace.sandbox);
    const withLeaked = Object.assign(Object.create(by) as Integrator, { key: leaked.secret });
    const visitor = await visit(externalId, withLeaked);
    const unopened = await linkFor(withLeaked, externalId);
    const ended = await operator.post(`/api/api-keys/${leaked.id}/${act}`, { body });
    expect(ended.status).toBeLessThan(300);
    expect((await visitor.view()).body['code']).toBe('portal_session_required');
    expect((await new Visitor(app.baseUrl).open(unopened)).body['code']).toBe('portal_link_invalid');
  });

  test('needs a named scope, a customer that is there, and an address that may be returned to', async () => {
    const { externalId } = await customer();
    const ask = async (body: Record<string, unknown>, key = app.key, host = app.baseUrl) =>
      (
        await Object.assign(Object.create(app) as Integrator, { key, baseUrl: host }).send(
          'POST',
          '/v1/portal-sessions',
          body,
        )
      ).body['code'];
    const { database } = service;
    expect(await ask({ externalId }, await createKey(database, workspace.sandbox, ['usage']))).toBe(
      'scope_missing',
    );
    expect(await ask({ externalId }, workspace.sandboxKey)).toBe('scope_missing');
    expect(await ask({ externalId: 'nobody' })).toBe('customer_not_found');
    expect(await ask({})).toBe('validation_failed');
    for (const returnUrl of ['javascript:alert(1)', 'http://example.com/', 'https://a b', '//evil.example'])
      expect(await ask({ externalId, returnUrl })).toBe('validation_failed');
    const production = new CatalogueSeeder(database, workspace.production);
    await production.customer(externalId);
    const live = await createKey(database, workspace.production, ['subscriptions']);
    const elsewhere = { externalId, returnUrl: 'https://evil.example/' };
    expect(await ask(elsewhere, live, service.urls.production)).toBe('return_origin_forbidden');
  });
});

describe('a session', () => {
  test('ends idle, after half a day, by leaving, and when its browser opens another', async () => {
    const { externalId } = await customer();
    const idle = await visit(externalId);
    service.clock.ahead = 40 * MINUTE_MS;
    // A poll by the page does not count as use of the session.
    expect((await idle.send('GET', 'view?watching=true')).status).toBe(200);
    service.clock.ahead = 61 * MINUTE_MS;
    expect((await idle.view()).body['code']).toBe('portal_session_required');

    service.clock.ahead = 0;
    const busy = await visit(externalId);
    for (let minutes = 40; minutes < 720; minutes += 40) {
      service.clock.ahead = minutes * MINUTE_MS;
      expect((await busy.view()).status).toBe(200);
    }
    service.clock.ahead = 721 * MINUTE_MS;
    expect((await busy.view()).status).toBe(401);

    service.clock.ahead = 0;
    const leaving = await visit(externalId);
    const left = await leaving.send('DELETE', 'session');
    expect(left.headers.get('set-cookie')).toMatch(/^__Host-tollgate_portal_sandbox=; .*Max-Age=0$/);
    expect((await leaving.view()).status).toBe(401);

    const again = await visit(externalId);
    const before = new Visitor(again.host, again.cookie);
    await again.open(await linkFor(app, externalId));
    expect((await before.view()).status).toBe(401);
    expect((await again.view()).status).toBe(200);
  });

  test('ends when the application or an operator ends it, with the links that are not opened', async () => {
    const { id, externalId } = await customer();
    const [one, two] = [await visit(externalId), await visit(externalId)];
    const link = await linkFor(app, externalId);
    const ended = await app.send('DELETE', `/v1/customers/${externalId}/portal-sessions`);
    expect(ended.body).toEqual({ ended: 3 });
    for (const visitor of [one, two]) expect((await visitor.view()).status).toBe(401);
    expect((await new Visitor(app.baseUrl).open(link)).status).toBe(404);
    const three = await visit(externalId);
    expect((await operator.delete(`/api/customers/${id}/portal-sessions`)).body).toEqual({ ended: 1 });
    expect((await three.view()).status).toBe(401);
    const audit = await operator.get('/api/audit', { query: { action: 'portal_session.ended' } });
    expect(audit.status).toBe(200);
  });

  test('ends with the erasure of its customer', async () => {
    const { externalId } = await customer();
    const visitor = await visit(externalId);
    const link = await linkFor(app, externalId);
    expect((await app.send('DELETE', `/v1/customers/${externalId}`)).status).toBe(202);
    expect((await visitor.view()).body['code']).toBe('portal_session_required');
    expect((await new Visitor(app.baseUrl).open(link)).body['code']).toBe('portal_link_invalid');
  });

  test('opens nothing of /v1, the console, or the other environment', async () => {
    const { externalId } = await customer();
    const { cookie } = await visit(externalId);
    const headers = { Cookie: cookie ?? '' };
    const token = cookie?.split('=')[1] ?? '';
    for (const path of ['/v1/plans', `/v1/customers/${externalId}`, '/v1/events']) {
      expect((await fetch(app.baseUrl + path, { headers })).status).toBe(401);
      const asKey = { Authorization: `Bearer ${token}` };
      expect((await fetch(app.baseUrl + path, { headers: asKey })).status).toBe(401);
    }
    const console = createClient(service.urls.console, { ...operator, cookie: `tollgate_session=${token}` });
    expect((await console.get('/api/billing/subscriptions')).body['code']).toBe('session_required');
    const withIts = createClient(service.urls.console, { ...operator, cookie: cookie ?? '' });
    expect((await withIts.get('/api/billing/subscriptions')).body['code']).toBe('session_required');
    const production = new Visitor(service.urls.production, `__Host-tollgate_portal_production=${token}`);
    expect((await production.view()).status).toBe(401);
    // Nor does an operator's session or an API key open the page.
    expect((await new Visitor(app.baseUrl, operator.cookie).view()).status).toBe(401);
    expect(
      (await new Visitor(app.baseUrl).send('GET', 'view', undefined, { Authorization: `Bearer ${app.key}` }))
        .status,
    ).toBe(401);
    // A cookie planted by a sibling host lacks the prefix.
    expect((await new Visitor(app.baseUrl, `tollgate_portal_sandbox=${token}`).view()).status).toBe(401);
  });
});

describe('the walls', () => {
  test('a change that another origin asks for is refused', async () => {
    const { externalId } = await customer();
    const visitor = await visit(externalId);
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: app.baseUrl, 'Sec-Fetch-Site': 'cross-site' },
      { Origin: service.urls.console, 'Sec-Fetch-Site': 'same-site' },
    ]) {
      const answer = await visitor.send('DELETE', 'session', undefined, headers);
      expect(answer).toMatchObject({ status: 403, body: { code: 'origin_forbidden' } });
    }
    const shouted = await fetch(`${app.baseUrl}/PORTAL/api/session`, {
      method: 'DELETE',
      headers: { Origin: 'https://evil.example', Cookie: visitor.cookie ?? '' },
    });
    expect(shouted.status).toBe(403);
    const asForm = await visitor.send('POST', 'subscriptions/sub_x/cancel', 'a=b', {
      'Content-Type': 'text/plain',
      'Idempotency-Key': 'one',
    });
    expect(asForm.body['code']).toBe('content_type_unsupported');
    expect((await visitor.view()).status).toBe(200);
  });

  test('everything under /portal forbids frames, foreign scripts, referrers and caches', async () => {
    for (const path of ['/portal', '/portal/api/view', '/portal/nothing']) {
      const { headers } = await fetch(app.baseUrl + path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https:|\*/);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
    const { status, headers } = await (await visit((await customer()).externalId)).view();
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  test('a large body is refused, with and without a session, and guesses are slowed down', async () => {
    const large = JSON.stringify({ token: 'x'.repeat(10_000_000) });
    const anonymous = new Visitor(app.baseUrl);
    // The connection may be closed while the rest of the body is in transit.
    const early = await anonymous.send('POST', 'session', large).catch(() => ({ status: 413 }));
    expect(early.status).toBe(413);
    const visitor = await visit((await customer()).externalId);
    const answer = await visitor.act('sub_x', 'change', large, 'large').catch(() => ({ status: 413 }));
    expect(answer.status).toBe(413);
    // A guess is let through again every ten seconds: on a loaded machine, before the last one here.
    const stands = jest.spyOn(service.clock, 'now').mockReturnValue(service.clock.now());
    try {
      let refused: Awaited<ReturnType<Visitor['send']>> | undefined;
      for (let guess = 0; guess < 40 && refused === undefined; guess += 1) {
        const made = await anonymous.send('POST', 'session', {
          token: randomBytes(32).toString('base64url'),
        });
        if (made.status === 429) refused = made;
      }
      expect(refused?.body['code']).toBe('rate_limited');
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      // A colleague at the same address can still open a valid link, once.
      const colleague = new Visitor(app.baseUrl);
      const link = await linkFor(app, (await customer()).externalId);
      expect((await colleague.open(link)).status).toBe(204);
      expect((await colleague.view()).status).toBe(200);
      expect((await new Visitor(app.baseUrl).open(link)).body['code']).toBe('rate_limited');
    } finally {
      stands.mockRestore();
    }
    // The window for failed guesses passes.
    service.clock.ahead = 10 * MINUTE_MS;
    expect((await visitor.view()).status).toBe(200);
  });

  test('no token is stored, and none is in an audit record', async () => {
    const { externalId } = await customer();
    const link = await linkFor(app, externalId);
    const visitor = new Visitor(app.baseUrl);
    service.clock.ahead = 20 * MINUTE_MS;
    await visitor.open(link);
    const tokens = [new URL(link).hash.slice(1), visitor.cookie?.split('=')[1] ?? ''];
    const [{ everything } = { everything: '' }] = await service.database.query<{ everything: string }>(
      `SELECT (SELECT json_agg(s) FROM tollgate.portal_sessions s)::text
           || (SELECT json_agg(a) FROM tollgate.audit_records a)::text
           || coalesce((SELECT json_agg(i) FROM tollgate.idempotency_answers i)::text, '') AS everything`,
    );
    expect(everything).toContain('portal_session.opened');
    for (const token of tokens) {
      expect(token).toHaveLength(43);
      expect(everything).not.toContain(token);
    }
    // Records outlive an erasure, and a customer's IP address is personal data.
    const addresses = await service.database.query(
      "SELECT ip FROM tollgate.audit_records WHERE reason = 'CUSTOMER' AND ip IS NOT NULL",
    );
    expect(addresses).toEqual([]);
  });
});
