import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';
import { createGroup, planBody } from './offer';

const service = useService();
let operator: OperatorClient;
beforeAll(async () => {
  operator = await logIn(service, { role: 'owner' });
  const group = await createGroup(operator);
  for (const [slug, name] of [
    ['starter-monthly', 'Starter'],
    ['pro-50', 'Pro'],
    ['pro-yearly', 'Größe XL'],
  ] as const)
    await operator.post('/api/plans', { body: planBody(group, { slug, name }) });
  for (const [key, name] of [
    ['ai_tokens', 'AI tokens'],
    ['seats_used', 'Seats'],
  ] as const)
    await operator.post('/api/features', { body: { key, name, kind: 'metered' } });
});

const found = async (path: string, query: Record<string, string>) => {
  const { status, body } = await operator.get(path, { query });
  return status === 200 ? (body['data'] as { name: string }[]).map(({ name }) => name) : status;
};

test.each([
  ['/api/plans', 'start', ['Starter']],
  ['/api/plans', 'TART', ['Starter']],
  ['/api/plans', 'pro-', ['Größe XL', 'Pro']],
  ['/api/plans', 'GRÖSSE', []],
  ['/api/plans', 'größe', ['Größe XL']],
  ['/api/plans', '%', []],
  ['/api/plans', '_', []],
  ['/api/features', 'ai_t', ['AI tokens']],
  ['/api/features', 'SEAT', ['Seats']],
  ['/api/plan-groups', 'oup', ['Group']],
  ['/api/plan-groups', 'nothing', []],
])('%s with search=%s', async (path, search, names) => {
  expect(await found(path, { search })).toEqual(names);
});

test('a search is of the cursor, and holds with the other filters', async () => {
  const first = await operator.get('/api/plans', { query: { search: 'pro', take: '1' } });
  const cursor = String(first.body['nextCursor']);
  expect(await found('/api/plans', { search: 'pro', take: '1', cursor })).toEqual(['Pro']);
  expect(await found('/api/plans', { search: 'start', take: '1', cursor })).toBe(400);
  expect(await found('/api/plans', { search: 'pro', archived: 'true' })).toEqual([]);
});
