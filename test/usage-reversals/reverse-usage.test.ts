import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { startApiProcess } from '../support/api-process';
import { Integrator, type Answer } from '../support/integrator';
import { UsageWorkspace } from '../support/usage-workspace';
import { createKey } from '../support/workspace';
import { useStarted } from '../support/use-started';

/** On stop, the service compares all balances with the recorded usage. */
describe('reversing a use', () => {
  const usage = useStarted(() => UsageWorkspace.start());

  /** A key that may reverse uses: keys from before scopes existed may not. */
  let apiKey: string;
  let api: Integrator;

  beforeAll(async () => {
    apiKey = await createKey(usage.service.database, usage.workspace.sandbox, ['usage', 'events']);
    api = new Integrator(usage.service.urls.sandbox, apiKey);
  });

  const reverse = (
    event: Answer | string,
    body: object = { reason: 'the job failed' },
    key: string = randomUUID(),
    by = api,
  ): Promise<Answer> => {
    const id = typeof event === 'string' ? event : String(event.body['eventId']);
    return by.send('POST', `/v1/usage/events/${id}/reverse`, body, { 'Idempotency-Key': key });
  };

  test('returns what it took, from the next call on, and the event stays', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    await usage.api.track(externalId, 'ai_tokens', 3);
    const tracked = await usage.api.track(externalId, 'ai_tokens', 7);
    expect((await usage.api.track(externalId, 'ai_tokens', 1)).status).toBe(403);
    const reversed = await reverse(tracked);
    expect(reversed.status).toBe(201);
    expect(reversed.body).toMatchObject({
      eventId: tracked.body['eventId'],
      externalId,
      feature: 'ai_tokens',
      quantity: 7,
      reason: 'the job failed',
      returned: [{ from: 'quota', quantity: 7 }],
      operatorId: null,
      apiKeyId: expect.stringMatching(/^key_/) as unknown,
    });
    expect((await usage.api.check(externalId, 'ai_tokens', 7)).body).toMatchObject({
      allowed: true,
      usage: 3,
    });
    const [row] = await usage.service.database.query<{ quantity: string }>(
      'SELECT quantity FROM tollgate.usage_events WHERE id = $1',
      [tracked.body['eventId']],
    );
    expect(row?.quantity).toBe('7');
    const events = await api.send('GET', '/v1/events?eventType=USAGE_REVERSED');
    expect(JSON.stringify(events.body)).toContain(String(tracked.body['eventId']));
  });

  test('is done once: the same request gets the same answer, another one is told what was reversed', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    const tracked = await usage.api.track(externalId, 'ai_tokens', 4);
    const key = randomUUID();
    const first = await reverse(tracked, { reason: 'half', quantity: 2 }, key);
    const again = await reverse(tracked, { reason: 'half', quantity: 2 }, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await reverse(tracked);
    expect(other.body).toMatchObject({
      status: 409,
      code: 'usage_already_reversed',
      reversal: { quantity: 2, reason: 'half' },
    });
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(2);
    // The use itself is still known by its key.
    const replay = await usage.api.track(externalId, 'ai_tokens', 8, 'k-8');
    await reverse(replay);
    expect((await usage.api.track(externalId, 'ai_tokens', 8, 'k-8')).text).toBe(replay.text);
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(2);
  });

  test('credits go back to their grants, and an expired grant stays unspendable', async () => {
    const { externalId, customerId } = await usage.customer({
      feature: 'ai_tokens',
      quota: 1,
      creditCost: 0.5,
    });
    await usage.seed.credits(customerId, 2, new Date(Date.now() + HOUR_MS));
    await usage.seed.credits(customerId, 2);
    const tracked = await usage.api.track(externalId, 'ai_tokens', 7);
    expect(tracked.body).toMatchObject({ creditBalance: 1 });
    await usage.service.database.query(
      'UPDATE tollgate.credit_grants SET expires_at = $2 WHERE customer_id = $1 AND expires_at IS NOT NULL',
      [customerId, new Date(Date.now() - 1_000)],
    );
    expect((await reverse(tracked, { reason: 'r', quantity: 6 })).body).toMatchObject({
      returned: [
        { from: 'credits', quantity: 4, credits: 2 },
        { from: 'credits', quantity: 2, credits: 1 },
      ],
    });
    expect((await usage.api.check(externalId, 'ai_tokens')).body).toMatchObject({
      creditBalance: 2,
      usage: 1,
    });
  });

  test('refuses what is not there, what is too much, and who may not', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    const tracked = await usage.api.track(externalId, 'ai_tokens', 4);
    expect((await reverse('uev_01jf2k7p3nfqvb9x4z6t8w2s5r')).body).toMatchObject({
      code: 'usage_event_not_found',
    });
    expect((await reverse(tracked, { reason: 'r', quantity: 5 })).body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/quantity' }],
    });
    expect((await reverse(tracked, { reason: 'r', quantity: 0 })).status).toBe(400);
    expect((await reverse(tracked, {})).status).toBe(400);
    const { production } = usage.workspace;
    const elsewhere = new Integrator(
      usage.service.urls.production,
      await createKey(usage.service.database, production, ['usage']),
    );
    expect((await reverse(tracked, undefined, undefined, elsewhere)).body).toMatchObject({
      code: 'usage_event_not_found',
    });
    expect((await reverse(tracked, undefined, undefined, usage.api)).body).toMatchObject({
      code: 'scope_missing',
    });
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(4);
  });

  test('a use of an earlier usage period goes back to that period', async () => {
    const anchor = Date.now() - 10 * DAY_MS - HOUR_MS;
    const { externalId } = await usage.subscribed(
      { anchor },
      { feature: 'ai_tokens', quota: 10, resetInterval: 'day' },
    );
    const timestamp = new Date(Date.now() - 2 * DAY_MS).toISOString();
    const late = await usage.api.track(externalId, 'ai_tokens', 10, undefined, { timestamp });
    await usage.api.track(externalId, 'ai_tokens', 5);
    expect((await usage.api.track(externalId, 'ai_tokens', 1, undefined, { timestamp })).status).toBe(403);
    await reverse(late, { reason: 'r', quantity: 1 });
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(5);
    expect((await usage.api.track(externalId, 'ai_tokens', 1, undefined, { timestamp })).status).toBe(200);
  });

  test('fifty at once over two processes, with tracks beside them: one takes it back, and the limit holds', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 20 });
    const other = await startApiProcess(usage.service.database);
    const apis = [api, new Integrator(other.sandboxUrl, apiKey)];
    try {
      const tracked = await usage.api.track(externalId, 'ai_tokens', 20);
      const [reversals, tracks] = await Promise.all([
        Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            reverse(tracked, undefined, undefined, apis[index % 2] ?? api),
          ),
        ),
        Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            (apis[index % 2] ?? api).track(externalId, 'ai_tokens', 1),
          ),
        ),
      ]);
      expect(reversals.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(reversals.filter(({ status }) => ![201, 409, 503].includes(status))).toEqual([]);
      const granted = tracks.filter(({ status }) => status === 200).length;
      expect(granted).toBeLessThanOrEqual(20);
      expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(granted);
    } finally {
      await other.kill('SIGTERM');
    }
  });
});
