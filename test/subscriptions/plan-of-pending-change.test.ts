import type { WorldSubscription } from '../support/provider-world';
import { useProviderRow } from '../support/use-provider-world';

/** A plan of a change that awaits or may yet get approval is in use: it cannot be deleted, nor its terms changed. */
const { world, row } = useProviderRow();

/** Creates a flat plan of 20 USD without subscriptions, here and at provider B. */
async function freshPlan(slug: string): Promise<string> {
  const terms = { plan_group_id: world.plans.pro.planGroupId, price_amount: 2000, pricing: 'flat' } as const;
  const { planId } = await world.seed.plan(slug, [], terms);
  const { provider_b } = world.secrets;
  const [name, price] = [`P-${slug.toUpperCase()}`, { value: '20.00', currency_code: 'USD' }];
  world.simulators.providers.b.account({
    clientId: provider_b['clientId'] ?? '',
    clientSecret: provider_b['clientSecret'] ?? '',
    plans: [{ id: name, name: slug, price }],
  });
  const path = `/api/provider-connections/${world.connections.provider_b}`;
  const { planReferences } = (await world.operator.get(path)).body['settings'] as {
    planReferences: Record<string, string>;
  };
  const settings = { planReferences: { ...planReferences, [slug]: name } };
  await world.operator.patch(path, { body: { settings } });
  return planId;
}

async function ask({ id }: WorldSubscription, planId: string): Promise<string> {
  const { status, body } = await world.command(id, 'change', { planId });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return String(body['approvalUrl']);
}

async function requireInUse(planId: string): Promise<void> {
  const removed = await world.operator.delete(`/api/plans/${planId}`);
  expect([removed.status, removed.body['code']]).toEqual([409, 'plan_in_use']);
  for (const terms of [{ interval: 'year' }, { pricing: 'per_seat' }]) {
    const { status, body } = await world.operator.patch(`/api/plans/${planId}`, { body: terms });
    expect([status, body['code']]).toEqual([409, 'plan_terms_fixed']);
  }
}

test('while its approval is waited for', async () => {
  const planId = await freshPlan('awaited');
  const sub = await world.subscribe('provider_b');
  const page = await ask(sub, planId);
  await requireInUse(planId);
  await world.pay('provider_b', page);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ scheduledChange: { plan: { slug: 'awaited' } } });
});

test('after it was withdrawn here, as the provider cannot take the approval back', async () => {
  const planId = await freshPlan('withdrawn');
  const sub = await world.subscribe('provider_b');
  const page = await ask(sub, planId);
  expect((await world.withdraw(sub.id)).status).toBe(200);
  await requireInUse(planId);
  await world.pay('provider_b', page);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ scheduledChange: { plan: { slug: 'withdrawn' } } });
});

test('a plan without a pending request can be deleted', async () => {
  const planId = await freshPlan('unused');
  await ask(await world.subscribe('provider_b'), await freshPlan('other'));
  expect((await world.operator.delete(`/api/plans/${planId}`)).status).toBe(204);
});

test('while it is unknown whether the provider has received the change', async () => {
  const planId = await freshPlan('unheard');
  const sub = await world.subscribe('provider_b');
  row.break('provider_b', `/v1/billing/subscriptions/${sub.reference}/revise`, 'cut_after_commit');
  expect((await world.command(sub.id, 'change', { planId })).status).toBe(202);
  await requireInUse(planId);
  row.hearAgain();
  await row.settleLater();
  expect(await world.show(sub.id)).toMatchObject({ pendingApproval: { plan: { slug: 'unheard' } } });
});

test('a change that comes with the deletion of its plan is asked for, or there is no such plan', async () => {
  for (const turn of [0, 1, 2, 3, 4, 5]) {
    const planId = await freshPlan(`raced-${turn}`);
    const { id } = await world.subscribe('provider_b');
    const change = () => world.command(id, 'change', { planId });
    const remove = () => world.operator.delete(`/api/plans/${planId}`);
    const [changed, removed] =
      turn % 2 === 0
        ? await Promise.all([change(), remove()])
        : (await Promise.all([remove(), change()])).toReversed();
    const outcome = [changed?.status, removed?.status];
    expect([
      [200, 409],
      [404, 204],
    ]).toContainEqual(outcome);
    expect((await world.show(id)).pendingApproval === null).toBe(changed?.status === 404);
  }
});
