import { useProviderRow } from '../support/use-provider-world';

/** Section 3, provider C, plan or seat change: blocked, with a reason. */
const { world, row } = useProviderRow();
const REASON = 'The payment provider of this subscription does not support plan or seat changes.';

test.each([
  ['another plan', { plan: 'large' }, 'planChange'],
  ['a smaller plan', { plan: 'starter' }, 'planChange'],
  ['more seats', { seats: 3 }, 'seatChange'],
] as const)('%s is refused, and the provider is not asked', async (_, wanted, name) => {
  const sub = await world.subscribe('provider_c');
  const before = await row.terms(sub);
  row.break('provider_c', '/', 'answer_500');
  const { status, body } = await world.change(sub.id, wanted);
  expect([status, body]).toMatchObject([
    422,
    {
      code: 'capability_unsupported',
      detail: REASON,
      capability: {
        name,
        supported: false,
        available: false,
        timing: null,
        reasonCode: 'change_not_offered',
      },
    },
  ]);
  row.hearAgain();
  expect(await row.terms(sub)).toEqual(before);
  expect(await world.atProvider(sub)).toMatchObject({ planReference: 'PLN_pro' });
  expect(await row.kinds(sub)).toEqual([]);
});

test('the capabilities say so before anybody asks, and so does a preview', async () => {
  const sub = await world.subscribe('provider_c');
  const { capabilities } = await world.show(sub.id);
  const blocked = { supported: false, available: false, reason: REASON };
  expect(capabilities).toMatchObject({ planChange: blocked, seatChange: blocked });
  const preview = await world.operator.post(`/api/billing/subscriptions/${sub.id}/change`, {
    body: { planId: world.plans.large.planId },
    query: { dryRun: 'true' },
  });
  expect(preview).toMatchObject({ status: 422, body: { code: 'capability_unsupported' } });
});

test('it stays blocked while the subscription does not renew, and there is nothing to withdraw', async () => {
  const sub = await world.subscribe('provider_c');
  await world.command(sub.id, 'cancel');
  expect(await world.change(sub.id, { plan: 'large' })).toMatchObject({
    status: 422,
    body: { code: 'capability_unsupported', detail: REASON },
  });
  expect(await world.withdraw(sub.id)).toMatchObject({
    status: 409,
    body: { code: 'no_scheduled_change' },
  });
});
