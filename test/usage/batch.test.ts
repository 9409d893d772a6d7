import { randomUUID } from 'node:crypto';
import { UsageWorkspace } from '../support/usage-workspace';
import type { Answer } from '../support/integrator';
import { sendBatch, type BatchEvent, type BatchResult } from '../support/usage-batches';
import { useStarted } from '../support/use-started';

const usage = useStarted(() => UsageWorkspace.start());
beforeAll(async () => {
  await usage.seed.feature('sso', 'boolean');
});

const eventFor = (externalId: string, more: Partial<BatchEvent> = {}): BatchEvent => ({
  idempotencyKey: randomUUID(),
  externalId,
  feature: 'ai_tokens',
  quantity: 1,
  ...more,
});

const refused = async (body: unknown): Promise<Answer> => usage.api.send('POST', '/v1/usage/batch', body);

/** Returns a problem without the members that differ in every answer. */
const comparable = (problem: Record<string, unknown> | undefined): unknown => ({
  ...problem,
  requestId: '',
  ...(problem?.['decision'] === undefined
    ? {}
    : { decision: { ...(problem['decision'] as object), decisionId: '' } }),
});

describe('a batch of tracks', () => {
  test('each event has its outcome, in order, and what fails undoes no other', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 10 });
    const events = [
      eventFor(externalId, { quantity: 6, source: 'worker' }),
      eventFor(externalId, { quantity: 5 }),
      eventFor(externalId, { quantity: 0 }),
      eventFor('nobody'),
      eventFor(externalId, { feature: 'nothing' }),
      eventFor(externalId, { feature: 'sso' }),
      { ...eventFor(externalId), extra: 1 },
      { externalId, feature: 'ai_tokens', quantity: 1 },
      eventFor(externalId, { idempotencyKey: 'not visible' }),
      eventFor(externalId, { quantity: 4 }),
      7,
    ];
    const results = await sendBatch(usage.api, events);
    expect(results.map(({ status, problem }) => [status, problem?.['code']])).toEqual([
      [200, undefined],
      [403, 'quota_exceeded'],
      [400, 'validation_failed'],
      [404, 'customer_not_found'],
      [404, 'feature_not_found'],
      [422, 'feature_not_metered'],
      [400, 'validation_failed'],
      [400, 'idempotency_key_required'],
      [400, 'idempotency_key_invalid'],
      [200, undefined],
      [400, 'validation_failed'],
    ]);
    expect(results.map(({ idempotencyKey }) => idempotencyKey).slice(6)).toEqual([
      (events[6] as BatchEvent).idempotencyKey,
      null,
      null,
      (events[9] as BatchEvent).idempotencyKey,
      null,
    ]);
    expect(results[0]?.answer).toMatchObject({ usage: 6, remaining: 4, source: 'worker', recorded: true });
    expect(results[1]?.problem?.['decision']).toMatchObject({ status: 'access_denied', usage: 6 });
    expect(results[2]?.problem).toMatchObject({ errors: [{ pointer: '/quantity' }] });
    expect(results[6]?.problem).toMatchObject({ errors: [{ pointer: '/extra' }] });
    expect(results[9]?.answer).toMatchObject({ usage: 10, remaining: 0, source: 'api' });
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(10);
  });

  test('a refusal is the problem that the same track gets alone', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 1 });
    await usage.api.track(externalId, 'ai_tokens', 1, 'taken');
    const events: Partial<BatchEvent>[] = [
      eventFor(externalId, { quantity: 2 }),
      eventFor('nobody'),
      eventFor(externalId, { idempotencyKey: 'taken', quantity: 2 }),
      { ...eventFor(externalId), quantity: -1 },
      { ...eventFor(externalId), source: '' },
    ];
    const results = await sendBatch(usage.api, events);
    for (const [index, { idempotencyKey = '', ...body }] of events.entries()) {
      const alone = await usage.api.send('POST', '/v1/usage/track', body, {
        'Idempotency-Key': idempotencyKey,
      });
      expect(results[index]?.status).toBe(alone.status);
      expect(comparable(results[index]?.problem)).toEqual(comparable(alone.body));
    }
  });

  test('an invalid text of an event fails only that event', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 100 });
    const event = (rest: string, key = randomUUID()): string =>
      `{"idempotencyKey":"${key}","externalId":"${externalId}","feature":"ai_tokens",${rest}}`;
    const texts = [
      event('"quantity":1'),
      event('"quantity":NaN'),
      event('"quantity":1,"quantity":2'),
      event('"quantity":0.12345678901234567890'),
      event(`"quantity":1,"source":"${'x'.repeat(20_000)}"`),
      event('"quantity":1,"source":"\\ud800"'),
      event(`"quantity":${'['.repeat(40)}${']'.repeat(40)}`),
      event('"quantity":1,"source":"a \\"b\\\\\\" ],}"'),
      event('"quantity":1,"__proto__":{"x":1}'),
      event('"quantity":2'),
    ];
    const answer = await refused(`{"events":[${texts.join(' ,\n ')}]}`);
    const results = answer.body['results'] as BatchResult[];
    expect(results.map(({ status, problem }) => problem?.['code'] ?? status)).toEqual([
      200,
      'body_invalid_json',
      'body_duplicate_member',
      'body_number_imprecise',
      'body_too_large',
      'body_invalid_json',
      'body_invalid_json',
      200,
      'body_invalid_json',
      200,
    ]);
    expect(results[7]?.answer).toMatchObject({ source: 'a "b\\" ],}' });
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(4);
  });

  test.each<[string, unknown, string]>([
    ['no event', { events: [] }, 'validation_failed'],
    [
      '1,001 events',
      { events: Array.from({ length: 1_001 }, () => eventFor('nobody')) },
      'validation_failed',
    ],
    ['no list', { events: {} }, 'validation_failed'],
    ['a text for a list', { events: 'many' }, 'validation_failed'],
    ['no events', {}, 'validation_failed'],
    ['a list', [eventFor('nobody')], 'validation_failed'],
    ['null', 'null', 'validation_failed'],
    ['another member', { events: [eventFor('nobody')], dryRun: true }, 'validation_failed'],
    ['another member first', { dryRun: true, events: [eventFor('nobody')] }, 'validation_failed'],
    ['events twice', '{"events":[{}],"events":[{}]}', 'body_duplicate_member'],
    ['events twice, written otherwise', '{"events":[{}],"\\u0065vents":[{}]}', 'body_duplicate_member'],
    ['nothing', '', 'validation_failed'],
    ['blanks', ' '.repeat(100_000), 'body_invalid_json'],
    ['half of it', '{"events":[{"idempotencyKey":"a"', 'body_invalid_json'],
    ['a list that does not end', '{"events":[{}', 'body_invalid_json'],
    ['a comma too many', '{"events":[{},]}', 'body_invalid_json'],
    ['a comma too early', '{"events":[,{}]}', 'body_invalid_json'],
    ['something behind it', '{"events":[{}]} {}', 'body_invalid_json'],
    ['brackets without end', `{"events":[${'['.repeat(1_000_000)}`, 'body_invalid_json'],
    ['a text without end', `{"events":["${'\\"'.repeat(500_000)}`, 'body_invalid_json'],
    ['a name without end', `{"${'x'.repeat(100_000)}`, 'validation_failed'],
    ['a byte order mark', '\ufeff{"events":[{}]}', 'body_invalid_json'],
    ['more than 6 MB', `{"events":["${'x'.repeat(6 * 1024 * 1024)}"]}`, 'body_too_large'],
  ])('%s is refused as a whole', async (_, body, code) => {
    const answer = await refused(body);
    expect([answer.body['code'], answer.status]).toEqual([code, code === 'body_too_large' ? 413 : 400]);
  });

  test('an event as deep, as long or as wide as its limit is one event', async () => {
    const wide = `{${Array.from({ length: 300 }, (_, index) => `"m${index}":1`).join()}}`;
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const answer = await refused(`{"events":[${wide},${deep},${'[{}]'.repeat(1)},"x",null]}`);
    expect(answer.status).toBe(200);
    expect((answer.body['results'] as BatchResult[]).map(({ problem }) => problem?.['code'])).toEqual([
      'body_too_complex',
      'body_too_large',
      'validation_failed',
      'validation_failed',
      'validation_failed',
    ]);
  });

  test('a batch that is sent again replays each answer, byte for byte, and decides refusals again', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 3 });
    const events = Array.from({ length: 5 }, () => eventFor(externalId));
    const first = await sendBatch(usage.api, events);
    const second = await sendBatch(usage.api, events);
    expect(first.map(({ status, replayed }) => [status, replayed])).toEqual([
      ...Array.from({ length: 3 }, () => [200, false]),
      ...Array.from({ length: 2 }, () => [403, false]),
    ]);
    expect(second.map(({ status, replayed }) => [status, replayed])).toEqual([
      ...Array.from({ length: 3 }, () => [200, true]),
      ...Array.from({ length: 2 }, () => [403, false]),
    ]);
    expect(second.slice(0, 3).map(({ answer }) => JSON.stringify(answer))).toEqual(
      first.slice(0, 3).map(({ answer }) => JSON.stringify(answer)),
    );
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(3);
  });

  test('a key means the same in a batch and in a single track', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 100 });
    const event = eventFor(externalId, { quantity: 2.5, source: 'worker' });
    const alone = await usage.api.track(externalId, 'ai_tokens', 2.5, event.idempotencyKey, {
      source: 'worker',
    });
    const [inBatch, other] = await sendBatch(usage.api, [event, { ...event, quantity: 3 }]);
    expect(inBatch).toMatchObject({ status: 200, replayed: true });
    expect(JSON.stringify(inBatch?.answer)).toBe(alone.text);
    expect(other).toMatchObject({ status: 422, problem: { code: 'idempotency_key_reused' } });
    const second = eventFor(externalId, { quantity: 7 });
    const [recorded] = await sendBatch(usage.api, [second]);
    const again = await usage.api.track(externalId, 'ai_tokens', 7, second.idempotencyKey);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.text).toBe(JSON.stringify(recorded?.answer));
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(9.5);
  });

  test('a key in quotes is the key, in a batch as in the header', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 100 });
    const event = eventFor(externalId);
    const quoted = { ...event, idempotencyKey: `"${event.idempotencyKey}"` };
    const alone = await usage.api.track(externalId, 'ai_tokens', event.quantity, quoted.idempotencyKey);
    const results = await sendBatch(usage.api, [quoted, event]);
    expect(results.map(({ answer }) => JSON.stringify(answer))).toEqual([alone.text, alone.text]);
    expect(results.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      quoted.idempotencyKey,
      event.idempotencyKey,
    ]);
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(event.quantity);
  });

  test('a key that comes twice in a batch: the second is the replay, or another request', async () => {
    const { externalId } = await usage.customer({ feature: 'ai_tokens', quota: 1_000 });
    const event = eventFor(externalId);
    // Far enough apart to be in different parts of the batch.
    const between = Array.from({ length: 300 }, () => eventFor(externalId));
    const results = await sendBatch(usage.api, [event, event, ...between, event, { ...event, quantity: 2 }]);
    expect(results.slice(0, 2).map(({ replayed }) => replayed)).toEqual([false, true]);
    expect(results.at(-2)).toMatchObject({ status: 200, replayed: true });
    expect(results.at(-1)?.problem).toMatchObject({ code: 'idempotency_key_reused' });
    expect(JSON.stringify(results.at(-2)?.answer)).toBe(JSON.stringify(results[0]?.answer));
    expect(await usage.usageOf(externalId, 'ai_tokens')).toBe(301);
  });

  test('1,000 events, of many customers', async () => {
    const customers = await Promise.all(
      Array.from({ length: 7 }, () => usage.customer({ feature: 'ai_tokens', quota: 1e6 })),
    );
    const events = Array.from({ length: 1_000 }, (_, index) =>
      eventFor(customers[index % 7]?.externalId ?? '', { quantity: index + 1 }),
    );
    const results = await sendBatch(usage.api, events);
    expect(results.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      events.map(({ idempotencyKey }) => idempotencyKey),
    );
    const sums = customers.map((_, index) =>
      events.filter((_event, at) => at % 7 === index).reduce((sum, { quantity }) => sum + quantity, 0),
    );
    expect(await Promise.all(customers.map((one) => usage.usageOf(one.externalId, 'ai_tokens')))).toEqual(
      sums,
    );
    // In order: each answer shows what the customer had used up to then.
    const used = new Map<string, number>();
    for (const [index, { externalId, quantity }] of events.entries()) {
      used.set(externalId, (used.get(externalId) ?? 0) + quantity);
      expect(results[index]?.answer).toMatchObject({ externalId, quantity, usage: used.get(externalId) });
    }
  });

  test('each denied event is counted, and has its developer event', async () => {
    const { externalId, customerId } = await usage.customer({ feature: 'ai_tokens', quota: 1 });
    const denials = async (): Promise<number> => {
      const text = await usage.service.api.metrics.metrics();
      const line = text
        .split('\n')
        .find((one) => one.includes('denials_total{environment="sandbox",operation="track"'));
      return Number(line?.split(' ').at(-1));
    };
    const before = await denials();
    await sendBatch(
      usage.api,
      Array.from({ length: 4 }, () => eventFor(externalId)),
    );
    expect(await denials()).toBe(before + 3);
    const { body } = await usage.api.send('GET', `/v1/events?customerId=${customerId}`);
    const types = (body['data'] as { type: string }[]).map(({ type }) => type);
    // The granted use reaches 80 and 100 % of a quota of one.
    expect(types.sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'ENTITLEMENT_DENIED'),
      ...['USAGE_THRESHOLD_REACHED', 'USAGE_THRESHOLD_REACHED', 'USAGE_TRACKED'],
    ]);
  });

  test('another type of content, a compressed body and a key without the scope are refused', async () => {
    const body = { events: [eventFor('nobody')] };
    const plain = await usage.api.send('POST', '/v1/usage/batch', body, { 'Content-Type': 'text/plain' });
    expect([plain.status, plain.body['code']]).toEqual([415, 'content_type_unsupported']);
    const packed = await usage.api.send('POST', '/v1/usage/batch', body, { 'Content-Encoding': 'gzip' });
    expect([packed.status, packed.body['code']]).toEqual([415, 'content_type_unsupported']);
  });
});
