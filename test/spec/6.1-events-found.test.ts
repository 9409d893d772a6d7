import { DAY_MS } from '../../src/domain/instant';
import { newIdentifier, timeOfIdentifier } from '../../src/identifiers/identifier';
import { seedEvents } from '../support/events';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { UsageWorkspace } from '../support/usage-workspace';
import { createWorkspace } from '../support/workspace';
import { useStarted } from '../support/use-started';

interface Event {
  id: string;
  type: string;
  createdAt: string;
  recordedAt: string;
  data: Record<string, unknown>;
}

/** Specification 6.1: events are found by decision, request, customer, subscription and time. */
describe('developer events are found', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  let operator: OperatorClient;
  let one: { externalId: string; customerId: string; subscriptionId: string };
  let other: typeof one;
  beforeAll(async () => {
    const { workspaceId } = usage.workspace;
    operator = await logIn(usage.service, { role: 'viewer', workspaceId });
    one = await usage.subscribed({}, { feature: 'ai_tokens', quota: 10 });
    other = await usage.subscribed({}, { feature: 'ai_tokens', quota: 10 });
    for (const { externalId } of [one, other, one]) await usage.api.check(externalId, 'ai_tokens', 3);
  });

  /** Finds events on both hosts, which must return the same. */
  async function found(query: Record<string, string>): Promise<Event[]> {
    const byKey = await usage.api.send('GET', `/v1/events?${new URLSearchParams(query).toString()}`);
    const byOperator = await operator.get('/api/developer-events', { query });
    expect([byKey.status, byOperator.status]).toEqual([200, 200]);
    expect(byOperator.body).toEqual(byKey.body);
    return byKey.body['data'] as Event[];
  }

  test('by decision, request, and what is no id of either', async () => {
    const answer = await usage.api.check(one.externalId, 'ai_tokens', 4);
    const decisionId = String(answer.body['decisionId']);
    const requestId = answer.headers.get('request-id') ?? '';
    for (const query of [{ decisionId }, { requestId }]) {
      expect(await found(query)).toEqual([
        expect.objectContaining({
          type: 'USAGE_CHECKED',
          data: expect.objectContaining({ decisionId, requestId, customerId: one.customerId }) as unknown,
        }),
      ]);
    }
    expect(await found({ decisionId, externalId: other.externalId })).toEqual([]);
    expect(await found({ decisionId: 'dec_none' })).toEqual([]);
    expect(await found({ requestId: 'of the caller’s own making' })).toEqual([]);
  });

  test('by customer, externalId and subscription', async () => {
    const of = (events: Event[]): unknown[] => [...new Set(events.map(({ data }) => data['customerId']))];
    for (const { externalId, customerId, subscriptionId } of [one, other]) {
      const events = await found({ customerId });
      expect(of(events)).toEqual([customerId]);
      expect(await found({ externalId })).toEqual(events);
      expect(await found({ subscriptionId })).toEqual(events);
      expect(await found({ externalId, customerId, subscriptionId, eventType: 'USAGE_CHECKED' })).toEqual(
        events,
      );
    }
    expect(await found({ externalId: one.externalId, customerId: other.customerId })).toEqual([]);
    expect(await found({ externalId: 'nobody' })).toEqual([]);
    expect(await found({ subscriptionId: newIdentifier('subscription') })).toEqual([]);
  });

  test('in a window of real time, from its start to before its end, page by page', async () => {
    const start = Date.UTC(2026, 0, 1);
    const { customerId, externalId } = await usage.subscribed({}, { feature: 'ai_tokens', quota: 1 });
    const ids = await seedEvents(
      usage.service.database,
      usage.workspace.sandbox,
      Array.from({ length: 5 }, (_, index) => ({ createdAt: start + index * 1000, data: { customerId } })),
    );
    const from = new Date(start + 1000).toISOString();
    const to = '2026-01-01T01:00:04+01:00';
    const window = { externalId, from, to };
    const wanted = ids.slice(1, 4).reverse();
    expect((await found(window)).map(({ id }) => id)).toEqual(wanted);
    const first = await usage.api.send(
      'GET',
      `/v1/events?${new URLSearchParams({ ...window, take: '2' }).toString()}`,
    );
    const next = String(first.body['nextCursor']);
    // The same instants in another notation are the same filters; other instants are not.
    const again = { ...window, to: new Date(start + 4000).toISOString(), take: '2', cursor: next };
    expect((await found(again)).map(({ id }) => id)).toEqual(wanted.slice(2));
    for (const changed of [
      { ...again, to: new Date(start + 5000).toISOString() },
      { ...again, customerId },
    ]) {
      const refused = await usage.api.send('GET', `/v1/events?${new URLSearchParams(changed).toString()}`);
      expect(refused).toMatchObject({ status: 400, body: { code: 'cursor_invalid' } });
    }
    expect((await usage.api.send('GET', '/v1/events?from=yesterday')).status).toBe(400);
  });

  test('only in the workspace and environment that they belong to', async () => {
    const answer = await usage.api.check(one.externalId, 'ai_tokens', 1);
    const decisionId = String(answer.body['decisionId']);
    const stranger = await createWorkspace(usage.service.database);
    const readers = [
      new Integrator(usage.service.urls.sandbox, stranger.sandboxKey),
      new Integrator(usage.service.urls.production, usage.workspace.productionKey),
    ];
    for (const reader of readers) {
      for (const query of [
        `decisionId=${decisionId}`,
        `customerId=${one.customerId}`,
        `externalId=${one.externalId}`,
      ]) {
        expect((await reader.send('GET', `/v1/events?${query}`)).body).toEqual({ data: [], hasMore: false });
      }
      expect(await reader.send('GET', `/v1/decisions/${decisionId}`)).toMatchObject({
        status: 404,
        body: { code: 'decision_not_found' },
      });
    }
  });

  test('a denial is explained in one call, to the integrator and to the operator', async () => {
    await usage.api.track(other.externalId, 'ai_tokens', 8);
    const refused = await usage.api.track(other.externalId, 'ai_tokens', 5, 'too-much');
    expect(refused.status).toBe(403);
    const denial = refused.body['decision'] as Record<string, unknown>;
    const id = String(denial['decisionId']);
    const decision = (await usage.api.send('GET', `/v1/decisions/${id}`)).body;
    expect((await operator.get(`/api/decisions/${id}`)).body).toEqual(decision);
    const { status, allowed, reason, decisionId, overage, ...figures } = denial;
    expect([status, allowed, decisionId]).toEqual(['access_denied', false, id]);
    expect(reason).toMatchObject({ code: 'quota_exceeded' });
    expect(decision).toEqual({
      ...figures,
      id,
      operation: 'track',
      allowed: false,
      rule: 'quota_exceeded',
      overage: (overage as { quantity: number }).quantity,
      entity: null,
      customerId: other.customerId,
      subscriptionId: other.subscriptionId,
      usageEventId: null,
      idempotencyKey: 'too-much',
      source: 'api',
      requestId: refused.headers.get('request-id'),
      reservationId: null,
      timestamp: null,
      message: expect.stringContaining('8 of 10') as string,
      eventId: id.replace('dec_', 'evt_'),
      createdAt: expect.any(String) as string,
      recordedAt: decision['createdAt'],
    });
    expect(decision['plan']).toMatchObject({ slug: expect.any(String) as string });
    expect(decision['period']).toMatchObject({ start: expect.any(String) as string });
    const made = timeOfIdentifier('decision', id) ?? 0;
    expect(Math.abs(Date.parse(String(decision['createdAt'])) - made)).toBeLessThan(10_000);
  });

  test('a grant names the rule that gave it, and the use that it recorded', async () => {
    const soft = await usage.subscribed({}, { feature: 'soft_tokens', quota: 1, enforcement: 'soft' });
    const ruleOf = async (answer: { body: Record<string, unknown> }): Promise<unknown> => {
      const { body } = await usage.api.send('GET', `/v1/decisions/${String(answer.body['decisionId'])}`);
      return [body['rule'], body['usageEventId']];
    };
    const within = await usage.api.track(soft.externalId, 'soft_tokens', 1);
    const beyond = await usage.api.check(soft.externalId, 'soft_tokens', 1);
    expect(await ruleOf(within)).toEqual(['within_quota', within.body['eventId']]);
    expect(await ruleOf(beyond)).toEqual(['overage', null]);
  });

  test('a decision that an earlier version recorded is found too, with what it says', async () => {
    const { body } = await usage.api.check(one.externalId, 'ai_tokens', 1);
    const id = String(body['decisionId']);
    await usage.service.database.query(
      `UPDATE tollgate.developer_events SET id = 'evt_of_its_own', data = (data::jsonb - '{quota,period,plan,rule,unlimited,enforcement,creditBalance}'::text[])::json
        WHERE data ->> 'decisionId' = $1`,
      [id],
    );
    expect((await usage.api.send('GET', `/v1/decisions/${id}`)).body).toMatchObject({
      id,
      eventId: 'evt_of_its_own',
      allowed: true,
      quantity: 1,
      rule: null,
      period: null,
      plan: null,
    });
  });

  test('an event says both clocks, and a customer’s times are of the workspace’s', async () => {
    const ahead = 40 * DAY_MS;
    const { workspaceId } = usage.workspace;
    await usage.service.database.query(
      "INSERT INTO tollgate.sandbox_clocks (workspace_id, environment, offset_ms, updated_at) VALUES ($1, 'sandbox', $2, now())",
      [workspaceId, ahead],
    );
    const customer = await usage.api.send('PUT', '/v1/customers/late', { name: 'Late' });
    expect(customer.status).toBeLessThan(300);
    await usage.api.check(one.externalId, 'ai_tokens', 1);
    const [event] = await found({ customerId: one.customerId, take: '1' });
    const apart = Date.parse(event?.recordedAt ?? '') - Date.parse(event?.createdAt ?? '');
    expect(apart).toBe(ahead);
    expect(Date.parse(String(customer.body['createdAt']))).toBeLessThanOrEqual(
      Date.parse(event?.recordedAt ?? ''),
    );
    expect(Date.parse(String(customer.body['createdAt']))).toBeGreaterThan(
      Date.parse(event?.createdAt ?? ''),
    );
  });
});
