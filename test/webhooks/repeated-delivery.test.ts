import type { CanonicalEvent } from '../../src/providers/canonical-event';
import { eventOf } from './fake-provider';
import { NEXT_END, PERIOD_END, paymentOf, refundOf, WebhookWorkspace } from './webhook-workspace';
import { useStarted } from '../support/use-started';

const ours = useStarted(() => WebhookWorkspace.start());

test('the same webhook twenty times at once is applied once, and each is answered 200', async () => {
  const { id, reference } = await ours.subscribe();
  ours.provider.payments.set('pi_dup', paymentOf('pi_dup', { subscriptionReference: reference }));
  ours.provider.refunds.set('re_dup', refundOf('re_dup', 'pi_dup'));
  ours.say(reference, { currentPeriodStart: PERIOD_END, currentPeriodEnd: NEXT_END });
  const references = [{ kind: 'subscription' as const, reference }];
  const event = eventOf('refund.changed', { references, refund: refundOf('re_dup', 'pi_dup') });
  const answers = await Promise.all(Array.from({ length: 20 }, () => ours.post(event)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.filter(({ body }) => body['duplicate'] === undefined)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body['eventId'])).size).toBe(1);
  expect(await ours.rows('webhook_events', 'deliveries', `dedupe_key = '${event.dedupeKey}'`)).toEqual([
    { deliveries: 20 },
  ]);
  expect(await ours.rows('payments', 'status', `subscription_id = '${id}'`)).toHaveLength(1);
  expect(await ours.rows('refunds', 'status')).toHaveLength(1);
  expect(await ours.rows('subscriptions', 'version', `id = '${id}'`)).toEqual([{ version: '2' }]);
});

test('replays, dry runs and redeliveries of a webhook that failed, all at once: it is applied once', async () => {
  const there = await ours.another();
  const { id, reference } = await there.subscribe();
  there.provider.payments.set('pi_at_once', paymentOf('pi_at_once', { subscriptionReference: reference }));
  there.provider.refunds.set('re_at_once', refundOf('re_at_once', 'pi_at_once'));
  there.say(reference, { currentPeriodStart: PERIOD_END, currentPeriodEnd: NEXT_END });
  const references = [{ kind: 'subscription' as const, reference }];
  const event = eventOf('refund.changed', { references, refund: refundOf('re_at_once', 'pi_at_once') });
  there.provider.unreachable = true;
  expect((await there.post(event)).status).toBe(503);
  there.provider.unreachable = false;
  const [stored] = await there.rows<{ id: string; status: string }>('webhook_events', 'id, status');
  expect(stored?.status).toBe('failed');
  const replay = (dryRun: string) =>
    there.operator.post(`/api/webhooks/${stored?.id ?? ''}/replay`, { query: { dryRun } });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => [there.post(event), replay('false'), replay('true')]).flat(),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(await there.rows('webhook_events', 'id, status, deliveries')).toEqual([
    { id: stored?.id, status: 'applied', deliveries: 7 },
  ]);
  expect(await there.rows('payments', 'amount', `subscription_id = '${id}'`)).toEqual([{ amount: '2900' }]);
  expect(await there.rows('refunds', 'amount')).toEqual([{ amount: '500' }]);
  expect(await there.rows('subscriptions', 'version', `id = '${id}'`)).toEqual([{ version: '2' }]);
});

/**
 * Returns a month's events of one subscription: a failed payment, its recovery, two equal refunds and no further
 * renewal.
 */
function month(there: WebhookWorkspace, reference: string, name: string): CanonicalEvent[] {
  const references = [{ kind: 'subscription' as const, reference }];
  const payment = paymentOf(`pi_${name}`, { subscriptionReference: reference, occurredAt: PERIOD_END });
  there.provider.payments.set(payment.reference, payment);
  const refunds = ['a', 'b'].map((part) => refundOf(`re_${name}_${part}`, payment.reference));
  for (const refund of refunds) there.provider.refunds.set(refund.reference ?? '', refund);
  there.say(reference, {
    status: 'past_due',
    currentPeriodStart: PERIOD_END,
    currentPeriodEnd: NEXT_END,
    cancelAtPeriodEnd: true,
  });
  const failed = { ...payment, status: 'failed' as const };
  return [
    eventOf('subscription.changed', { references }),
    eventOf('invoice.failed', { references, payment: failed, occurredAt: PERIOD_END + 5_000 }),
    eventOf('payment.succeeded', {
      references: [{ kind: 'charge', reference: `ch_${name}` }, ...references],
      payment,
    }),
    ...refunds.map((refund) => eventOf('refund.changed', { references: [], refund })),
    eventOf('subscription.not_renewing', { references }),
  ];
}

/** Returns the state after a month, with name-dependent differences normalized. */
async function after(shuffle: (events: CanonicalEvent[]) => CanonicalEvent[], name: string): Promise<string> {
  const there = await ours.another();
  const { id, reference } = await there.subscribe();
  for (const event of shuffle(month(there, reference, name))) {
    expect((await there.post(event)).status).toBe(200);
  }
  const plan = await there.rows<{ plan_id: string }>('subscriptions', 'plan_id');
  return JSON.stringify(await there.state())
    .replaceAll(id, 'sub')
    .replaceAll(reference, 'reference')
    .replaceAll(plan[0]?.plan_id ?? '', 'plan')
    .replaceAll(name, 'name');
}

/** Shuffles into an order fixed by the seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647);
  return items
    .map((item) => [next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

test('in whatever order and however often events come, they end in one state', async () => {
  const inOrder = await after((events) => events, 'order');
  expect(inOrder).toContain('"past_due"');
  for (const seed of [11, 22, 33, 44, 55, 66, 77, 88, 99, 110]) {
    const tripled = (events: CanonicalEvent[]) => shuffled([...events, ...events, ...events], seed);
    expect([seed, await after(tripled, `seed${seed}`)]).toEqual([seed, inOrder]);
  }
});
