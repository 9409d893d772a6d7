import { randomUUID } from 'node:crypto';
import { useProviderRow } from '../support/use-provider-world';

/**
 * Section 3, provider B, plan or seat change request: one request at the provider, whatever fails or runs
 * concurrently.
 */
const { world, row } = useProviderRow();
const UPDATED = 'BILLING.SUBSCRIPTION.UPDATED';
const revisePath = (reference: string): string => `/v1/billing/subscriptions/${reference}/revise`;

/** Returns how often the provider has reported a subscription on this plan. */
function toldOn(reference: string, plan: string): number {
  return world.simulators.core.outbox.deliveries.filter(
    ({ event, body }) => event === UPDATED && body.includes(reference) && body.includes(`"${plan}"`),
  ).length;
}

test('a change whose answer is lost is requested again at once, and the last link counts', async () => {
  const sub = await world.subscribe('provider_b');
  world.fault('provider_b', revisePath(sub.reference), 'cut_after_commit');
  const answer = await world.change(sub.id, { plan: 'large' });
  expect(answer).toMatchObject({ status: 200, body: { requiresCustomerAction: true } });
  await world.pay('provider_b', String(answer.body['approvalUrl']));
  await world.settle();
  expect(await row.kinds(sub)).toEqual(['change_requested', 'change_confirmed']);
  expect(toldOn(sub.reference, 'P-LARGE')).toBe(1);
});

test.each(['cut_after_commit', 'answer_500'] as const)(
  'a change of unknown outcome is answered with 202, and has its outcome later (%s)',
  async (fault) => {
    const sub = await world.subscribe('provider_b');
    row.break('provider_b', revisePath(sub.reference), fault);
    const key = randomUUID();
    const answer = await world.change(sub.id, { plan: 'large' }, key);
    expect([answer.status, answer.body['status']]).toEqual([202, 'accepted']);
    expect(await world.show(sub.id)).toMatchObject({ plan: { slug: 'pro' }, pendingApproval: null });
    expect(await row.access(sub)).toBe(1_000);
    expect(await row.capabilities(sub)).toMatchObject({ planChange: 'provider_unsettled' });
    row.hearAgain();
    await row.settleLater();
    expect(await row.operation(answer)).toMatchObject({ status: 'succeeded' });
    const replay = await world.change(sub.id, { plan: 'large' }, key);
    expect(replay).toMatchObject({ status: 200, body: { requiresCustomerAction: true } });
    await world.pay('provider_b', String(replay.body['approvalUrl']));
    await world.settle();
    expect(await row.kinds(sub)).toEqual(['change_requested', 'change_confirmed']);
  },
);

test.each(['before_call', 'after_call'] as const)(
  'a change is requested after all when the process dies %s',
  async (where) => {
    const sub = await world.subscribe('provider_b');
    row.dieWithNextCommand(where);
    const answer = await world.change(sub.id, { seats: 4 });
    expect(answer.status).toBe(202);
    await row.settleLater();
    expect(await row.operation(answer)).toMatchObject({ status: 'succeeded' });
    const { pendingApproval } = await world.show(sub.id);
    await world.pay('provider_b', pendingApproval?.approvalUrl ?? '');
    await world.settle();
    expect(await row.kinds(sub)).toEqual(['change_requested', 'change_confirmed']);
  },
);

test('of two changes at once, the later one stays and the other is reported as withdrawn', async () => {
  const sub = await world.subscribe('provider_b');
  const answers = await Promise.all([
    world.change(sub.id, { plan: 'large' }),
    world.change(sub.id, { plan: 'starter' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { pendingApproval } = await world.show(sub.id);
  const url = pendingApproval?.approvalUrl ?? '';
  const [stands, replaced] = answers[0].body['approvalUrl'] === url ? answers : [answers[1], answers[0]];
  expect(stands.body).toMatchObject({ approvalUrl: url, withdrawn: { seats: 1 } });
  const page = String(replaced.body['approvalUrl']);
  await expect(world.pay('provider_b', page)).rejects.toThrow('answered 404');
  await world.pay('provider_b', url);
  await world.settle();
  expect(await row.kinds(sub)).toEqual([
    'change_requested',
    'scheduled_change_withdrawn',
    'change_requested',
    'change_confirmed',
  ]);
});

test('a change and a cancel at once end the subscription, and nothing waits', async () => {
  const sub = await world.subscribe('provider_b');
  const [requested, cancelled] = await Promise.all([
    world.change(sub.id, { plan: 'large' }),
    world.command(sub.id, 'cancel'),
  ]);
  expect(cancelled.status).toBe(200);
  expect([200, 409]).toContain(requested.status);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({
    status: 'cancelled',
    pendingApproval: null,
    scheduledChange: null,
    waitingFor: null,
  });
  expect(row.happened(sub, 'BILLING.SUBSCRIPTION.CANCELLED')).toBe(1);
});
