import type { OperatorClient } from '../support/operator';

/** Creates a group with two plans at $20 and $50 a month, and a metered feature in both. */
export async function sellTwoPlans(operator: OperatorClient, smallName = 'Small'): Promise<void> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await operator.post(path, { body });
    if (answer.status !== 201)
      throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return String(answer.body['id']);
  };
  const planGroupId = await make('/api/plan-groups', { slug: 'plans', name: 'Plans' });
  await make('/api/features', { key: 'ai_tokens', name: 'AI tokens', kind: 'metered' });
  for (const [slug, name, amount, quota] of [
    ['small', smallName, '2000', 1_000],
    ['large', 'Large', '5000', 10_000],
  ] as const) {
    const price = { amount, currency: 'USD' };
    const id = await make('/api/plans', { planGroupId, slug, name, price, interval: 'month' });
    await make(`/api/plans/${id}/entitlements`, { featureKey: 'ai_tokens', quota });
  }
}
