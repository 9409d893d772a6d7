import { providerMappings } from '../../console/src/pages/plan/provider-mappings';

type Arguments = Parameters<typeof providerMappings>;

test('of many connections, those that sell the plan come first', () => {
  const plan = { id: 'plan_1', slug: 'pro', metadata: {} } as Arguments[0];
  const connections = ['one', 'two', 'three'].map((id) => ({
    id,
    provider: 'provider_a',
    displayName: id,
    disabledAt: null,
    settings: id === 'three' ? { planReferences: { pro: 'price_1' } } : {},
  })) as unknown as Arguments[1];
  const found = providerMappings(plan, connections).filter(({ provider }) => provider === 'provider_a');
  expect(found.map(({ key, reference }) => [key, reference])).toEqual([
    ['three', 'price_1'],
    ['one', null],
    ['two', null],
  ]);
});
