import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { readEntities } from '../../src/usage/entity-store';
import { startApiProcess, type ApiProcess } from '../support/api-process';
import { Integrator, type Answer } from '../support/integrator';
import type { EntitlementSeed } from '../support/catalogue';
import { trackUntilTaken } from '../support/until-taken';
import { UsageWorkspace } from '../support/usage-workspace';
import { createKey } from '../support/workspace';
import { useStarted } from '../support/use-started';

const FEATURE = 'ai_tokens';

describe('entities of a customer', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  let api: Integrator;
  let apiKey: string;

  beforeAll(async () => {
    apiKey = await createKey(usage.service.database, usage.workspace.sandbox, ['usage', 'read', 'customers']);
    api = new Integrator(usage.service.urls.sandbox, apiKey);
  });

  const customer = (terms: Omit<EntitlementSeed, 'feature'>, plan: Record<string, unknown> = {}) =>
    usage.subscribed({}, { feature: FEATURE, ...terms }).then(async (made) => {
      if (Object.keys(plan).length > 0)
        await usage.service.database.query(
          'UPDATE tollgate.plans SET entity_limit = $1 WHERE id = (SELECT plan_id FROM tollgate.subscriptions WHERE id = $2)',
          [plan['entity_limit'], made.subscriptionId],
        );
      return made;
    });
  const track = (
    externalId: string,
    entity: string,
    quantity: number,
    more: Record<string, unknown> = {},
    by = api,
  ) => by.track(externalId, FEATURE, quantity, randomUUID(), { entity, ...more });
  const check = (externalId: string, entity: string, quantity = 1, more: Record<string, unknown> = {}) =>
    api.send('POST', '/v1/usage/check', { externalId, feature: FEATURE, quantity, entity, ...more });
  const entitiesOf = async (externalId: string): Promise<unknown[]> =>
    (
      (await api.send('GET', `/v1/customers/${externalId}/entities`)).body['data'] as { entity: string }[]
    ).map(({ entity }) => entity);

  test('share a quota; each is created by its first use, and its usage is counted separately', async () => {
    const { externalId } = await customer({ quota: 10 });
    expect((await check(externalId, 'ann')).body).toMatchObject({
      allowed: true,
      entity: { id: 'ann', usage: 0, quota: null, remaining: null, reserved: 0 },
    });
    expect(await entitiesOf(externalId)).toEqual([]);
    await track(externalId, 'ann', 4);
    expect((await track(externalId, 'bob "\\', 3)).body).toMatchObject({
      usage: 7,
      remaining: 3,
      entity: { id: 'bob "\\', usage: 3 },
    });
    expect(await entitiesOf(externalId)).toEqual(expect.arrayContaining(['ann', 'bob "\\']));
    const listed = await api.send('GET', `/v1/usage/events?customer=${externalId}&entity=ann`);
    expect(listed.body).toMatchObject({ data: [{ entity: 'ann', quantity: 4 }] });
    expect((await api.send('GET', '/v1/usage/events?entity=ann')).body).toMatchObject({
      code: 'validation_failed',
    });
  });

  test('each has a quota of its own, and the customer none', async () => {
    const { externalId } = await customer({ quota: null, entityQuota: 5 });
    expect((await track(externalId, 'ann', 5)).body).toMatchObject({ usage: 5, quota: 5, remaining: 0 });
    expect((await track(externalId, 'ann', 1)).body).toMatchObject({
      status: 403,
      code: 'quota_exceeded',
      decision: { entity: { id: 'ann', usage: 5, quota: 5, remaining: 0 } },
    });
    expect((await track(externalId, 'bob', 5)).body).toMatchObject({ usage: 5, remaining: 0 });
    const nobody = await api.track(externalId, FEATURE, 1);
    expect([nobody.status, nobody.body['code']]).toEqual([422, 'entity_required']);
    const entitled = await api.send('GET', `/v1/customers/${externalId}/entitlements?entity=ann`);
    const ofFeature = (entitled.body['data'] as { feature: string }[]).find(
      ({ feature }) => feature === FEATURE,
    );
    expect(ofFeature).toMatchObject({ allowed: false, entity: { id: 'ann', usage: 5, remaining: 0 } });
  });

  test('a cap inside a pool: without an entity, the pool’s remaining units are shown', async () => {
    const { externalId } = await customer({ quota: 40, entityQuota: 10 });
    await track(externalId, 'ann', 4);
    const figures = { feature: FEATURE, usage: 4, quota: 40, remaining: 36 };
    const overview = await api.send('GET', `/v1/customers/${externalId}`);
    expect(overview.body['balances']).toMatchObject([figures]);
    const entitled = await api.send('GET', `/v1/customers/${externalId}/entitlements`);
    expect(entitled.body['data']).toMatchObject([
      { ...figures, allowed: false, reason: { code: 'entity_required' } },
    ]);
  });

  test('a cap inside a pool: neither is exceeded, over two processes at once', async () => {
    const { externalId } = await customer({ quota: 40, entityQuota: 10 });
    const other: ApiProcess = await startApiProcess(usage.service.database);
    try {
      const second = new Integrator(other.sandboxUrl, apiKey);
      const people = ['a', 'b', 'c', 'd', 'e', 'f'];
      const answers = await Promise.all(
        people.flatMap((entity, turn) =>
          Array.from({ length: 15 }, (_, at) =>
            trackUntilTaken((at + turn) % 2 === 0 ? api : second, externalId, FEATURE, 1, { entity }),
          ),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(50);
      for (const entity of people) {
        const { entity: own } = (await check(externalId, entity)).body as { entity: { usage: number } };
        expect(own.usage).toBeLessThanOrEqual(10);
      }
    } finally {
      await other.kill('SIGTERM');
    }
  });

  test('only as many as the plan allows, also when they come at once; one that is removed gives its place', async () => {
    const { externalId } = await customer({ quota: 1000, entityQuota: 10 }, { entity_limit: 3 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        trackUntilTaken(api, externalId, FEATURE, 1, { entity: `u${at}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body['code']);
    expect(new Set(refused)).toEqual(new Set(['entity_limit_reached']));
    const [known] = await entitiesOf(externalId);
    expect((await track(externalId, String(known), 9)).status).toBe(200);
    expect((await check(externalId, 'late')).body).toMatchObject({
      allowed: false,
      reason: { code: 'entity_limit_reached' },
    });
    const remove = (entity: string): Promise<Answer> =>
      api.send('DELETE', `/v1/customers/${externalId}/entities/${entity}`);
    expect((await remove(String(known))).status).toBe(204);
    expect((await remove(String(known))).body).toMatchObject({ code: 'entity_not_found' });
    expect((await track(externalId, 'late', 1)).status).toBe(200);
    // Its place is taken, but its use would still count.
    expect((await track(externalId, String(known), 1)).body).toMatchObject({ code: 'entity_limit_reached' });
    await remove('late');
    expect((await track(externalId, String(known), 1)).body).toMatchObject({ code: 'quota_exceeded' });
  });

  test('are counted no further than a limit needs, so that thousands of them make no call wait', async () => {
    const { externalId, customerId } = await customer({ quota: 10 });
    for (const entity of ['ann', 'bob', 'cleo']) await track(externalId, entity, 1);
    const counted = async (entity: string, most: number): Promise<unknown> => {
      const { text, values } = readEntities(usage.workspace.sandbox, [{ customerId, entity, most }]);
      const [row] = await usage.service.database.query(text, values);
      return row;
    };
    expect(await counted('new', 0)).toEqual({ place: '1', isNew: true, count: '0' });
    expect(await counted('new', 2)).toMatchObject({ count: '2' });
    expect(await counted('new', 9)).toMatchObject({ count: '3' });
    expect(await counted('ann', 9)).toEqual({ place: '1', isNew: false, count: '0' });
  });

  test('a reservation holds units of its entity, and is confirmed only by it', async () => {
    const { externalId } = await customer({ quota: 100, entityQuota: 10 });
    const held = await check(externalId, 'ann', 8, { reserve: { expiresInSeconds: 600 } });
    expect(held.body).toMatchObject({
      entity: { id: 'ann', usage: 0, remaining: 2, reserved: 8 },
      remaining: 2,
    });
    const { reservationId } = held.body;
    expect((await track(externalId, 'ann', 3)).status).toBe(403);
    expect((await track(externalId, 'bob', 10)).status).toBe(200);
    expect((await track(externalId, 'bob', 1, { reservationId })).body).toMatchObject({
      code: 'reservation_of_other_entity',
    });
    const confirmed = await api.track(externalId, FEATURE, 9, randomUUID(), { reservationId });
    expect(confirmed.body).toMatchObject({ entity: { id: 'ann', usage: 9, reserved: 0, remaining: 1 } });
  });

  test('one that was removed while units were held for it does not come back beyond the limit', async () => {
    const { externalId } = await customer({ quota: 100, entityQuota: 10 }, { entity_limit: 1 });
    const reserved = await check(externalId, 'ann', 5, { reserve: { expiresInSeconds: 600 } });
    await api.send('DELETE', `/v1/customers/${externalId}/entities/ann`);
    await track(externalId, 'bob', 1);
    const { reservationId } = reserved.body;
    // The work was done, so it counts for the pool and for the entity.
    expect((await track(externalId, 'ann', 5, { reservationId })).body).toMatchObject({
      usage: 6,
      entity: { id: 'ann', usage: 5, reserved: 0 },
    });
    expect(await entitiesOf(externalId)).toEqual(['bob']);
    await api.send('DELETE', `/v1/customers/${externalId}/entities/bob`);
    expect((await track(externalId, 'ann', 6)).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await track(externalId, 'ann', 5)).status).toBe(200);
    expect(await entitiesOf(externalId)).toEqual(['ann']);
  });

  test('a confirmed reservation makes one that was removed again, where there is a place for it', async () => {
    const { externalId } = await customer({ quota: 100 }, { entity_limit: 2 });
    const reserved = await check(externalId, 'ann', 5, { reserve: { expiresInSeconds: 600 } });
    await track(externalId, 'bob', 1);
    await api.send('DELETE', `/v1/customers/${externalId}/entities/ann`);
    const { reservationId } = reserved.body;
    expect((await api.track(externalId, FEATURE, 5, randomUUID(), { reservationId })).status).toBe(200);
    expect(await entitiesOf(externalId)).toEqual(expect.arrayContaining(['ann', 'bob']));
  });

  // Clients resolve these in a path, even when encoded: removing ".." would erase the customer.
  test.each(['.', '..'])('is not called %s', async (entity) => {
    const { externalId } = await customer({ quota: 10 });
    const refused = { status: 400, code: 'validation_failed', errors: [{ pointer: '/entity' }] };
    expect((await track(externalId, entity, 1)).body).toMatchObject(refused);
    expect((await check(externalId, entity)).body).toMatchObject(refused);
  });

  test('that is removed by the name .. does not erase its customer', async () => {
    const { externalId, subscriptionId } = await customer({ quota: 10 });
    // While a subscription is open, the erasure is refused.
    await usage.service.database.query(
      `UPDATE tollgate.subscriptions SET status = 'cancelled', cancelled_at = $2, next_wake_at = NULL WHERE id = $1`,
      [subscriptionId, new Date()],
    );
    // The client resolves it.
    const answer = await api.send(
      'DELETE',
      `/v1/customers/${externalId}/entities/${encodeURIComponent('..')}`,
    );
    expect(answer.body).toMatchObject({ status: 404, code: 'route_not_found' });
    expect((await api.send('GET', `/v1/customers/${externalId}`)).status).toBe(200);
  });

  test('a reservation without one shows what it may take from, as a check does', async () => {
    const { externalId, customerId } = await customer({ quota: 10 });
    const capped = await usage.seed.plan('capped', [{ feature: FEATURE, quota: 20, entityQuota: 5 }]);
    await usage.seed.subscription(customerId, capped);
    const ask = { externalId, feature: FEATURE, quantity: 3 };
    const checked = await api.send('POST', '/v1/usage/check', ask);
    expect(checked.body).toMatchObject({ quota: 10, remaining: 10 });
    const reserve = { expiresInSeconds: 600 };
    const { body: held } = await api.send('POST', '/v1/usage/check', { ...ask, reserve });
    expect(held).toMatchObject({ quota: 10, remaining: 7, reserved: 3 });
    const { reservationId } = held;
    const confirmed = await api.track(externalId, FEATURE, 3, randomUUID(), { reservationId });
    expect(confirmed.body).toMatchObject({ quota: 10, remaining: 7, usage: 3, reserved: 0 });
  });

  test('a reversal returns units to the entity; a late use counts in the period of its time', async () => {
    const anchor = Date.now() - 3 * DAY_MS - HOUR_MS;
    const { externalId } = await usage.subscribed(
      { anchor },
      { feature: FEATURE, quota: null, entityQuota: 5, resetInterval: 'day' },
    );
    const used = await track(externalId, 'ann', 5);
    const reversed = await api.send(
      'POST',
      `/v1/usage/events/${String(used.body['eventId'])}/reverse`,
      {
        reason: 'failed',
        quantity: 2,
      },
      { 'Idempotency-Key': randomUUID() },
    );
    expect(reversed.status).toBe(201);
    expect((await check(externalId, 'ann', 2)).body).toMatchObject({ allowed: true, entity: { usage: 3 } });
    const timestamp = new Date(anchor + DAY_MS / 2).toISOString();
    expect((await track(externalId, 'ann', 5, { timestamp })).body).toMatchObject({
      late: true,
      entity: { usage: 5, remaining: 0 },
    });
    expect((await track(externalId, 'ann', 1, { timestamp })).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await track(externalId, 'ann', 2)).body).toMatchObject({ entity: { usage: 5 } });
  });

  test('events of a batch see what those before them left', async () => {
    const { externalId } = await customer({ quota: null, entityQuota: 2 }, { entity_limit: 1 });
    const events = ['ann', 'ann', 'ann', 'bob'].map((entity) => ({
      idempotencyKey: randomUUID(),
      externalId,
      feature: FEATURE,
      quantity: 1,
      entity,
    }));
    const { body } = await api.send('POST', '/v1/usage/batch', { events });
    const results = body['results'] as { status: number; problem?: { code: string } }[];
    expect(results.map(({ status, problem }) => problem?.code ?? status)).toEqual([
      200,
      200,
      'quota_exceeded',
      'entity_limit_reached',
    ]);
  });

  test('late uses of a batch create no more than the plan allows, beside an ended plan without a limit', async () => {
    const anchor = Date.now() - 3 * DAY_MS;
    const terms = { feature: FEATURE, quota: 10 };
    const { externalId, customerId, subscriptionId } = await usage.subscribed({ anchor }, terms);
    await usage.service.database.query(
      'UPDATE tollgate.plans SET entity_limit = 1 WHERE id = (SELECT plan_id FROM tollgate.subscriptions WHERE id = $1)',
      [subscriptionId],
    );
    const ended = { status: 'cancelled', cancelled_at: new Date(Date.now() - 60_000), next_wake_at: null };
    const unlimited = await usage.seed.plan(randomUUID(), [terms]);
    await usage.seed.subscription(customerId, unlimited, { anchor, ...ended });
    await track(externalId, 'ann', 1);
    const timestamp = new Date(Date.now() - HOUR_MS).toISOString();
    // The open plan covers each of the uses, but not both.
    const events = ['bob', 'ann'].map((entity) => ({
      idempotencyKey: randomUUID(),
      externalId,
      feature: FEATURE,
      quantity: 6,
      entity,
      timestamp,
    }));
    const { body } = await api.send('POST', '/v1/usage/batch', { events });
    const results = body['results'] as { status: number; problem?: { code: string } }[];
    expect(results.map(({ status, problem }) => problem?.code ?? status)).toEqual([
      'entity_limit_reached',
      200,
    ]);
    expect(await entitiesOf(externalId)).toEqual(['ann']);
  });
});
