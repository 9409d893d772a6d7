import { request } from 'node:http';
import { UsageWorkspace } from '../support/usage-workspace';
import { useStarted } from '../support/use-started';

/** Bad input is answered with a documented problem that has a code and a fix, never a 500, and nothing is recorded. */
describe('bad input', () => {
  const usage = useStarted(() => UsageWorkspace.start());
  let externalId: string;

  beforeAll(async () => {
    ({ externalId } = await usage.customer({ feature: 'ai_tokens', quota: 1e12 }));
  });
  afterEach(async () => {
    const [{ count } = { count: '' }] = await usage.service.database.query<{ count: string }>(
      'SELECT (SELECT count(*) FROM tollgate.usage_events) + (SELECT count(*) FROM tollgate.developer_events) AS count',
    );
    expect(Number(count)).toBe(0);
  });

  function track(body: unknown, headers: Record<string, string> = {}) {
    return usage.api.send('POST', '/v1/usage/track', body, { 'Idempotency-Key': 'k', ...headers });
  }

  test.each([
    ['zero', 0],
    ['negative', -1],
    ['huge', 1e13],
    ['more than six decimals', 0.0000001],
    ['text', '5'],
    ['null', null],
    ['a list', [1]],
    ['missing', undefined],
  ])('a quantity that is %s is refused', async (_, quantity) => {
    const answer = await track({ externalId, feature: 'ai_tokens', quantity });
    expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
    expect(answer.body['errors']).toMatchObject([{ pointer: '/quantity' }]);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body['fix']).not.toBe('');
  });

  test.each([
    ['NaN', `{"externalId":"a","feature":"b","quantity":NaN}`, 'body_invalid_json'],
    [
      '1e400, which is not a finite number',
      `{"externalId":"a","feature":"b","quantity":1e400}`,
      'validation_failed',
    ],
    [
      'more digits than a number holds',
      `{"externalId":"a","feature":"b","quantity":100000000000.000001}`,
      'body_number_imprecise',
    ],
    ['not JSON', `{"externalId":`, 'body_invalid_json'],
    ['no body', '', 'validation_failed'],
    ['a NUL character', `{"externalId":"a\\u0000","feature":"b","quantity":1}`, 'body_invalid_json'],
    ['half a surrogate pair', `{"externalId":"a\\ud800","feature":"b","quantity":1}`, 'body_invalid_json'],
    [
      'a __proto__ field',
      `{"__proto__":{"x":1},"externalId":"a","feature":"b","quantity":1}`,
      'body_invalid_json',
    ],
    ['a list', '[]', 'validation_failed'],
    ['deep JSON', `${'['.repeat(8_000)}${']'.repeat(8_000)}`, 'body_invalid_json'],
    [
      'deep JSON with long numbers',
      `${'['.repeat(8_000)}11111111111111111${']'.repeat(8_000)}`,
      'body_invalid_json',
    ],
    ['a byte order mark', `\ufeff{"externalId":"a","feature":"b","quantity":1}`, 'body_invalid_json'],
    ['an unknown field', `{"externalId":"a","feature":"b","quantity":1,"qty":2}`, 'validation_failed'],
  ])('%s is refused', async (_, body, code) => {
    const answer = await track(body);
    expect([answer.status, answer.body['code']]).toEqual([400, code]);
  });

  test.each([
    ['a member twice', `{"externalId":"a","quantity":1,"quantity":2}`, 'body_duplicate_member', '/quantity'],
    [
      'a member twice, once with escapes',
      `{"a":[{"k":1},{"k":1,"\\u006b":2}]}`,
      'body_duplicate_member',
      '/a/1/k',
    ],
    ['a long number', `{"quantity":${'9'.repeat(400)}}`, 'body_number_imprecise', '/quantity'],
    ['a very long number', `{"quantity":${'1'.repeat(10_000)}.5}`, 'body_number_imprecise', '/quantity'],
    ['a number that would be read as 0', `{"quantity":1e-400}`, 'body_number_imprecise', '/quantity'],
    ['a NUL character within', `{"a":{"b":["x\\u0000"]}}`, 'body_invalid_json', '/a/b/0'],
  ])('%s is refused with its pointer, and as what it is', async (_, body, code, pointer) => {
    const answer = await track(body);
    expect([answer.status, answer.body['code']]).toEqual([400, code]);
    expect(answer.body['errors']).toMatchObject([{ pointer }]);
    expect(answer.body['detail']).not.toContain('nested');
    expect(String(answer.body['detail']).length).toBeLessThan(200);
  });

  test.each([
    [
      'unknown members',
      (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`u${n}`, n])),
    ],
    [
      'unknown members with long names',
      (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`${'u'.repeat(60)}${n}`, n])),
    ],
  ])('of many %s at most 20 are listed, in a short answer', async (_, body) => {
    const answer = await track(body(200));
    expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
    expect(answer.body['errors']).toHaveLength(20);
    expect(answer.body['detail']).toContain('Only the first 20 errors');
    expect(JSON.stringify(answer.body).length).toBeLessThan(8_000);
  });

  test('more members than any request has are refused before any of them is judged', async () => {
    const answer = await track(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`u${n}`, n])));
    expect([answer.status, answer.body['code'], answer.body['errors']]).toEqual([
      400,
      'body_too_complex',
      undefined,
    ]);
  });

  test('wrong values of a customer’s metadata are listed up to 20, with pointers that are cut', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`${n}-${'é'.repeat(100)}`, { no: 'object' }]),
    );
    const answer = await usage.api.send('PUT', '/v1/customers/a', { metadata });
    expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
    const errors = answer.body['errors'] as { pointer: string }[];
    expect(errors).toHaveLength(20);
    for (const { pointer } of errors) expect(pointer.length).toBeLessThan(210);
  });

  test('a long path, query, method or content type is not sent back whole', async () => {
    const long = 'x'.repeat(8_000);
    const answers = [
      await usage.api.send('GET', `/v1/${long}`),
      await usage.api.send('GET', `/v1/customers/${long}`),
      await usage.api.send('GET', `/v1/events?${long}=1`),
      await usage.api.send('GET', `/v1/customers/a?${long}=1`),
      await track('{}', { 'Content-Type': long }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 400, 400, 400, 415]);
    for (const { body } of answers) expect(JSON.stringify(body).length).toBeLessThan(1_500);
  });

  test('a query parameter that is given twice, and a query of very many, are refused', async () => {
    const twice = await usage.api.send('GET', '/v1/events?take=1&take=2');
    expect(twice.body).toMatchObject({ status: 400, errors: [{ pointer: '/query/take' }] });
    for (const path of ['/v1/events', '/checkout/return', '/v1/customers/a']) {
      const many = await usage.api.send('GET', `${path}?${'a&'.repeat(6_000)}`);
      expect([many.status, many.body['code']]).toEqual([400, 'validation_failed']);
    }
    for (const name of ['__proto__', '__proto__=1&__proto__', 'constructor']) {
      expect((await usage.api.send('GET', `/v1/events?${name}=1`)).status).toBe(400);
    }
  });

  test('an unknown customer and an unknown feature are 404, so that a typing error never reads as a paywall', async () => {
    for (const path of ['/v1/usage/check', '/v1/usage/track']) {
      const send = (body: object) => usage.api.send('POST', path, body, { 'Idempotency-Key': 'k' });
      expect((await send({ externalId: 'nobody', feature: 'ai_tokens', quantity: 1 })).body).toMatchObject({
        status: 404,
        code: 'customer_not_found',
      });
      expect((await send({ externalId, feature: 'Nothing', quantity: 1 })).body).toMatchObject({
        status: 404,
        code: 'feature_not_found',
      });
    }
  });

  test('the idempotency key is required, and is 1 to 255 visible characters', async () => {
    const body = { externalId, feature: 'ai_tokens', quantity: 1 };
    const missing = await usage.api.send('POST', '/v1/usage/track', body);
    expect([missing.status, missing.body['code']]).toEqual([400, 'idempotency_key_required']);
    for (const key of ['x'.repeat(256), '', 'two words', 'ümlaut']) {
      const answer = await track(body, { 'Idempotency-Key': Buffer.from(key, 'utf8').toString('latin1') });
      expect([answer.status, answer.body['code']]).toEqual([400, 'idempotency_key_invalid']);
    }
  });

  test('invalid UTF-8 is refused', async () => {
    const answer = await raw(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), {
      'Content-Type': 'application/json',
    });
    expect(answer).toMatchObject({ status: 400, code: 'body_invalid_utf8' });
  });

  test('a body over 16 KB is 413, with or without a stated length', async () => {
    const large = Buffer.alloc(16 * 1024 + 1, ' ');
    expect(await raw(large, { 'Content-Type': 'application/json' })).toMatchObject({
      status: 413,
      code: 'body_too_large',
    });
    expect(
      await raw(large, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }),
    ).toMatchObject({ status: 413 });
  });

  test('a missing body is reported as missing, not as a body of another type', async () => {
    const missing = {
      code: 'validation_failed',
      errors: [{ pointer: '', message: 'is missing', fix: 'Send a JSON object.' }],
    };
    const headers = { 'Idempotency-Key': 'k' };
    for (const more of [headers, { ...headers, 'Content-Type': '' }])
      expect((await usage.api.send('POST', '/v1/usage/track', undefined, more)).body).toMatchObject(missing);
    expect((await usage.api.send('POST', '/v1/usage/batch')).body).toMatchObject(missing);
  });

  test('another content type, and a compressed body, are 415', async () => {
    const body = Buffer.from('{}');
    expect(await raw(body, { 'Content-Type': 'text/plain' })).toMatchObject({
      status: 415,
      code: 'content_type_unsupported',
    });
    expect(await raw(body, {})).toMatchObject({ status: 415 });
    expect(await raw(body, { 'Content-Type': 'application/json; charset=iso-8859-1' })).toMatchObject({
      status: 415,
    });
    for (const type of ['application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"; v=1']) {
      expect(await raw(body, { 'Content-Type': type })).toMatchObject({ code: 'validation_failed' });
    }
    const encodedIn = (coding: string) =>
      raw(body, { 'Content-Type': 'application/json', 'Content-Encoding': coding });
    expect(await encodedIn('gzip')).toMatchObject({ status: 415 });
    // Names of codings have no case (RFC 9110, section 8.4.1).
    expect(await encodedIn('Identity')).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('an unknown path, another method, an unknown query parameter and a broken address', async () => {
    expect((await usage.api.send('GET', '/v1/nothing')).body).toMatchObject({
      status: 404,
      code: 'route_not_found',
    });
    const method = await usage.api.send('GET', '/v1/usage/track');
    expect(method.body).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(method.headers.get('allow')).toBe('POST, OPTIONS');
    expect(
      (
        await usage.api.send('POST', '/v1/usage/check?verbose=1', {
          externalId,
          feature: 'ai_tokens',
          quantity: 1,
        })
      ).status,
    ).toBe(400);
    expect((await usage.api.send('GET', '/v1/customers/%E0%A4%A')).status).toBe(400);
  });

  test('each answer has a Request-Id, and a problem repeats it', async () => {
    const answer = await usage.api.send('GET', '/v1/nothing');
    expect(answer.headers.get('request-id')).toMatch(/^req_/);
    expect(answer.body['requestId']).toBe(answer.headers.get('request-id'));
  });

  function raw(body: Buffer, headers: Record<string, string>): Promise<{ status?: number; code?: string }> {
    return new Promise((resolve, reject) => {
      const length =
        headers['Transfer-Encoding'] === undefined ? { 'Content-Length': String(body.length) } : {};
      const call = request(
        `${usage.api.baseUrl}/v1/usage/track`,
        {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${usage.api.key}`,
            'Idempotency-Key': 'k',
            ...length,
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as { status: number; code: string });
          });
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  }
});
