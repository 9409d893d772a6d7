import { trackUntilTaken } from '../support/until-taken';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

/** Specification 4.1, POST /v1/usage/track: records usage after the operation succeeded. */
describe('POST /v1/usage/track', () => {
  const usage = useStarted(() => UsageWorkspace.start());

  test('a granted use is recorded and answers the balances after it', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10000 });
    const first = await usage.api.track(externalId, 'ai_tokens', 1200, 'first', { source: 'worker-eu' });
    expect(first.status).toBe(200);
    const second = await usage.api.track(externalId, 'ai_tokens', 500);
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
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 100 });
    const first = await usage.api.track(externalId, 'ai_tokens', 60, 'same-key');
    const again = await usage.api.track(externalId, 'ai_tokens', 60, 'same-key');
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect((await usage.api.check(externalId, 'ai_tokens')).body['usage']).toBe(60);
  });

  test('a key that was used for another request is refused', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 100 });
    await usage.api.track(externalId, 'ai_tokens', 1, 'reused');
    const other = await usage.api.track(externalId, 'ai_tokens', 2, 'reused');
    expect(other.status).toBe(422);
    expect(other.body['code']).toBe('idempotency_key_reused');
    expect((await usage.api.check(externalId, 'ai_tokens')).body['usage']).toBe(1);
  });

  test('200 retries of one key at once count once', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 1000 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        trackUntilTaken(usage.api, externalId, 'ai_tokens', 3, { key: 'storm' }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect((await usage.api.check(externalId, 'ai_tokens')).body['usage']).toBe(3);
  });

  test('beyond a hard quota nothing is recorded, and the denial says why', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 100 });
    await usage.api.track(externalId, 'ai_tokens', 80);
    const denied = await usage.api.track(externalId, 'ai_tokens', 21, 'too-much');
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
    const retried = await usage.api.track(externalId, 'ai_tokens', 20, 'too-much');
    expect(retried.status).toBe(200);
  });

  test('a soft quota records the overage and reports it', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10, enforcement: 'soft' });
    const answer = await usage.api.track(externalId, 'ai_tokens', 25);
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
    const { externalId, customerId } = await usage.customer({
      feature: 'ai_tokens',
      quota: 10,
      enforcement: 'soft',
      creditCost: 0.5,
    });
    await usage.seed.credits(customerId, 4);
    const answer = await usage.api.track(externalId, 'ai_tokens', 30);
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
    const { externalId } = await usage.customer({ feature: 'sso', kind: 'boolean' });
    const answer = await usage.api.track(externalId, 'sso');
    expect([answer.status, answer.body['code']]).toEqual([422, 'feature_not_metered']);
    expect((await usage.api.check(externalId, 'sso')).body).toMatchObject({
      allowed: true,
      quota: null,
      remaining: null,
    });
  });

  test('0.1 ten times is 1', async () => {
    const { externalId } = await usage.customer({ feature: 'gb_hours', quota: 1 });
    for (let turn = 0; turn < 10; turn += 1) await usage.api.track(externalId, 'gb_hours', 0.1);
    expect((await usage.api.check(externalId, 'gb_hours', 0.000001)).body).toMatchObject({
      usage: 1,
      remaining: 0,
      allowed: false,
    });
  });
});
