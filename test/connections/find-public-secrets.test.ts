import { findPublicSecrets, withoutPublicSecrets } from '../../src/connections/find-public-secrets';

test.each<['provider_a' | 'provider_b' | 'provider_c', object, [path: string, member: string][]]>([
  [
    'provider_a',
    { secretKey: 'x', webhook_secret: 'y' },
    [
      ['secretKey', 'secretKey'],
      ['webhook_secret', 'webhookSecret'],
    ],
  ],
  ['provider_a', { 'API-Key': 'x' }, [['API-Key', 'secretKey']]],
  ['provider_a', { note: 'sk_live_fake1234' }, [['note', 'secretKey']]],
  ['provider_a', { note: 'rk_test_fake1234' }, [['note', 'secretKey']]],
  ['provider_a', { a: { b: ['', 'whsec_fake1234'] } }, [['a.b.1', 'webhookSecret']]],
  [
    'provider_a',
    { planReferences: { password: 'price_1', basic: 'sk_test_fake12' } },
    [['planReferences.basic', 'secretKey']],
  ],
  [
    'provider_b',
    { client_id: 'x', clientSecret: 'y', webhookId: 'z' },
    [
      ['clientSecret', 'clientSecret'],
      ['webhookId', 'webhookId'],
      ['client_id', 'clientId'],
    ],
  ],
  ['provider_b', { note: 'sk_live_fake1234' }, [['note', 'clientSecret']]],
  ['provider_c', { secret_key: 'x' }, [['secret_key', 'secretKey']]],
])('of %s, %j holds what it holds', (provider, settings, expected) => {
  const found = findPublicSecrets(provider, settings as Record<string, unknown>);
  expect(found.map(({ path, member }) => [path.join('.'), member])).toEqual(expected);
});

test.each<Record<string, unknown>>([
  { merchantId: 'acct_1', planReferences: { pro: 'price_1ABC' }, accountId: 'M-1' },
  { publishable: 'pk_test_fake1234', note: 'ask_test_fake', empty: '', secretKey: '' },
  { constructor: 'acme', hasOwnProperty: 'x', toString: 'y', valueOf: 'z' },
  { planMappings: { secretKey: 'pro' }, webhookUrl: 'https://x.example', task_live_1: 'risk_test_' },
])('%j holds none', (settings) => {
  for (const provider of ['provider_a', 'provider_c'] as const) {
    expect(findPublicSecrets(provider, settings)).toEqual([]);
  }
});

test('a member’s own name counts before another name, and that before looks', () => {
  const settings = { note: 'sk_test_fakelooks', apiKey: 'alias', secretKey: 'own' };
  expect(findPublicSecrets('provider_a', settings).map(({ value }) => value)).toEqual([
    'own',
    'alias',
    'sk_test_fakelooks',
  ]);
});

test('secrets that are found are removed, and everything else is unchanged', () => {
  const settings = {
    secretKey: 'x',
    merchantId: 'm',
    deep: { list: ['a', 'whsec_fake1234', 'b'], n: 1 },
    nothing: null,
  };
  const found = findPublicSecrets('provider_a', settings);
  expect(withoutPublicSecrets(settings, found)).toEqual({
    merchantId: 'm',
    deep: { list: ['a', 'b'], n: 1 },
    nothing: null,
  });
  expect(settings.secretKey).toBe('x');
});
