import { CatalogueSeeder } from '../support/catalogue';
import { Integrator } from '../support/integrator';
import { startTestService, type TestService } from '../support/service';
import { createWorkspace, type TestWorkspace } from '../support/workspace';

/** Specification 4.1, POST /v1/usage/track: record usage after the operation succeeded. */
describe('POST /v1/usage/track', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  let seed: CatalogueSeeder;
  let api: Integrator;
  let customers = 0;

  beforeAll(async () => {
    service = await startTestService();
    workspace = await createWorkspace(service.database);
    seed = new CatalogueSeeder(service.database, workspace.sandbox);
    api = new Integrator(service.urls.sandbox, workspace.sandboxKey);
    await seed.plan('hard-1000', [{ feature: 'ai_tokens', quota: 1000 }]);
  });
  afterAll(() => service.stop());

  async function customerOn(...entitlements: Parameters<CatalogueSeeder['plan']>[1]): Promise<string> {
    customers += 1;
    const externalId = `acct_${customers}`;
    const plan = await seed.plan(`plan-${customers}`, entitlements);
    await seed.subscription(await seed.customer(externalId), plan);
    return externalId;
  }

  test('a granted use is recorded and answers the balances after it', async () => {
    const externalId = await customerOn({ feature: 'ai_tokens', quota: 10000 });
    const first = await api.track(externalId, 'ai_tokens', 1200, 'first', { source: 'worker-eu' });
    expect(first.status).toBe(200);
    const second = await api.track(externalId, 'ai_tokens', 500);
    expect(second.body).toMatchObject({
      status: 'access_granted',
      recorded: true,
      externalId,
      feature: 'ai_tokens',
      quantity: 500,
      source: 'api',
      usage: 1700,
      quota: 10000,
      remaining: 8300,
      unlimited: false,
      enforcement: 'hard',
      creditBalance: 0,
      overage: { allowed: false, quantity: 0 },
      deductions: [{ from: 'quota', quantity: 500 }],
    });
    expect(second.body['eventId']).toMatch(/^uev_/);
    expect(second.body['decisionId']).toMatch(/^dec_/);
    expect(first.body['source']).toBe('worker-eu');
  });

  test('the same key again returns the same bytes and counts nothing', async () => {
    const externalId = await customerOn({ feature: 'ai_tokens', quota: 100 });
    const first = await api.track(externalId, 'ai_tokens', 60, 'same-key');
    const again = await api.track(externalId, 'ai_tokens', 60, 'same-key');
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect((await api.check(externalId, 'ai_tokens')).body['usage']).toBe(60);
  });

  test('a key that was used for another request is refused', async () => {
    const externalId = await customerOn({ feature: 'ai_tokens', quota: 100 });
    await api.track(externalId, 'ai_tokens', 1, 'reused');
    const other = await api.track(externalId, 'ai_tokens', 2, 'reused');
    expect(other.status).toBe(422);
    expect(other.body['code']).toBe('idempotency_key_reused');
    expect((await api.check(externalId, 'ai_tokens')).body['usage']).toBe(1);
  });

  test('200 retries of one key at once count once', async () => {
    const externalId = await customerOn({ feature: 'ai_tokens', quota: 1000 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => api.track(externalId, 'ai_tokens', 3, 'storm')),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect((await api.check(externalId, 'ai_tokens')).body['usage']).toBe(3);
  });

  test('beyond a hard quota nothing is recorded, and the denial says why', async () => {
    const externalId = await customerOn({ feature: 'ai_tokens', quota: 100 });
    await api.track(externalId, 'ai_tokens', 80);
    const denied = await api.track(externalId, 'ai_tokens', 21, 'too-much');
    expect(denied.status).toBe(403);
    expect(denied.headers.get('content-type')).toContain('application/problem+json');
    expect(denied.body).toMatchObject({
      code: 'quota_exceeded',
      decision: {
        status: 'access_denied',
        allowed: false,
        usage: 80,
        remaining: 20,
        reason: { code: 'quota_exceeded' },
      },
    });
    const retried = await api.track(externalId, 'ai_tokens', 20, 'too-much');
    expect(retried.status).toBe(200);
  });

  test('a soft quota records the overage and reports it', async () => {
    const externalId = await customerOn({ feature: 'ai_tokens', quota: 10, enforcement: 'soft' });
    const answer = await api.track(externalId, 'ai_tokens', 25);
    expect(answer.body).toMatchObject({
      usage: 25,
      remaining: 0,
      overage: { allowed: true, quantity: 15 },
      deductions: [
        { from: 'quota', quantity: 10 },
        { from: 'overage', quantity: 15 },
      ],
    });
  });

  test('quota first, then credits, then overage', async () => {
    customers += 1;
    const externalId = `acct_${customers}`;
    const customerId = await seed.customer(externalId);
    await seed.subscription(
      customerId,
      await seed.plan(`credits-${customers}`, [
        { feature: 'ai_tokens', quota: 10, enforcement: 'soft', creditCost: 0.5 },
      ]),
    );
    await seed.credits(customerId, 4);
    const answer = await api.track(externalId, 'ai_tokens', 30);
    expect(answer.body).toMatchObject({
      creditBalance: 0,
      deductions: [
        { from: 'quota', quantity: 10 },
        { from: 'credits', quantity: 8, credits: 4 },
        { from: 'overage', quantity: 12 },
      ],
    });
  });

  test('a boolean feature cannot be tracked', async () => {
    const externalId = await customerOn({ feature: 'sso', kind: 'boolean' });
    const answer = await api.track(externalId, 'sso');
    expect([answer.status, answer.body['code']]).toEqual([422, 'feature_not_metered']);
    expect((await api.check(externalId, 'sso')).body).toMatchObject({
      allowed: true,
      quota: null,
      remaining: null,
    });
  });

  test('0.1 ten times is 1', async () => {
    const externalId = await customerOn({ feature: 'gb_hours', quota: 1 });
    for (let turn = 0; turn < 10; turn += 1) await api.track(externalId, 'gb_hours', 0.1);
    expect((await api.check(externalId, 'gb_hours', 0.000001)).body).toMatchObject({
      usage: 1,
      remaining: 0,
      allowed: false,
    });
  });
});
