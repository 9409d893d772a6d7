import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { checkoutSchema } from '../../src/checkouts/checkout-resource';
import { newIdentifier } from '../../src/identifiers/identifier';
import { paymentSchema } from '../../src/payments/payment-resource';
import { refundSchema } from '../../src/payments/refund-resource';
import type { ProviderReference } from '../../src/providers/provider-operations';
import { changeSchema } from '../../src/subscriptions/change-resource';
import { subscriptionSchema } from '../../src/subscriptions/subscription-resource';
import { PROVIDERS, type PaymentProvider } from '../../src/domain/provider';
import { useProviderWorld } from '../support/use-provider-world';

/** Time until after a checkout's first poll, needed for providers whose webhooks do not identify it. */
const LOOK_MS = 3 * 60_000;

const world = useProviderWorld();

const keyed = () => ({ 'Idempotency-Key': randomUUID() });
const listOf = <T extends z.ZodType>(entry: T) => z.looseObject({ data: z.array(entry) });

/** Offers a customer `pro` at the provider and has it paid. */
async function subscribed(provider: (typeof PROVIDERS)[number]) {
  const externalId = `acct-${randomUUID().slice(0, 8)}`;
  await world.service.database.query(
    `INSERT INTO tollgate.customers (workspace_id, environment, id, external_id, email, metadata, created_at, updated_at)
     VALUES ($1, 'sandbox', $2, $3, $4, '{}', now(), now())`,
    [world.operator.workspaceId, newIdentifier('customer'), externalId, `${externalId}@example.test`],
  );
  const answer = await world.operator.post('/api/billing/checkouts', {
    body: { externalId, planSlug: 'pro', provider },
    headers: keyed(),
  });
  expect(answer.status).toBe(201);
  const checkout = checkoutSchema.parse(answer.body);
  const id = checkout.subscriptionId ?? '';
  if (provider === 'internal') {
    const body = { transactionId: checkout.transaction?.id, amount: checkout.amountDue };
    expect((await world.operator.post('/api/billing/payments', { body, headers: keyed() })).status).toBe(201);
  } else {
    await paid(provider, checkout.url ?? '', checkout.id);
  }
  return { id, externalId, checkout };
}

async function paid(provider: PaymentProvider, page: string, checkoutId: string): Promise<void> {
  await world.pay(provider, page);
  await world.settle();
  await world.advanceBy(LOOK_MS);
  await world.service.direct.catchUpCheckout(world.scope, checkoutId);
  await world.settle();
}

describe.each(PROVIDERS)('%s', (provider) => {
  test('offers, begins when it is paid, gives back, and ends: answers of one shape', async () => {
    const { id, checkout } = await subscribed(provider);
    expect(checkout).toMatchObject({ status: 'open', provider, plan: { slug: 'pro' }, seats: 1 });
    expect(checkout.url === null).toBe(provider === 'internal');

    const begun = subscriptionSchema.parse(
      (await world.operator.get(`/api/billing/subscriptions/${id}`)).body,
    );
    expect(begun).toMatchObject({ id, provider, status: 'active', plan: { slug: 'pro' }, seats: 1 });
    expect(begun.providerReference === null).toBe(provider === 'internal');
    const after = await world.operator.get(`/api/billing/checkouts/${checkout.id}`);
    expect(checkoutSchema.parse(after.body)).toMatchObject({ status: 'complete', url: null });

    const money = listOf(paymentSchema).parse(
      (await world.operator.get('/api/billing/payments', { query: { subscriptionId: id } })).body,
    );
    expect(money.data).toMatchObject([
      { provider, status: 'succeeded', amount: { amount: '3000', currency: 'USD' }, subscriptionId: id },
    ]);
    const paymentId = money.data[0]?.id ?? '';

    const refund = (amount: string, headers = keyed()) =>
      world.operator.post('/api/billing/refunds', {
        body: { paymentId, amount: { amount, currency: 'USD' } },
        headers,
      });
    const key = keyed();
    const refunded = await refund('1000', key);
    expect([201, 202]).toContain(refunded.status);
    await world.advanceBy(LOOK_MS);
    const refunds = listOf(refundSchema).parse(
      (await world.operator.get('/api/billing/refunds', { query: { paymentId } })).body,
    );
    expect(refunds.data).toMatchObject([
      { provider, paymentId, status: 'succeeded', amount: { amount: '1000' } },
    ]);
    expect([201, 202]).toContain((await refund('1000', key)).status);
    expect((await refund('2001')).body).toMatchObject({ code: 'refund_exceeds_payment' });

    const ended = await world.command(id, 'cancel');
    expect(ended.status).toBe(200);
    const { subscription, effective } = changeSchema.parse(ended.body);
    expect(effective).toBe(begun.capabilities.cancel.timing);
    expect(subscription.status === 'cancelled' || subscription.cancelAtPeriodEnd).toBe(true);
  });

  test('does exactly what its capabilities say, and changes nothing where it does not', async () => {
    const { id } = await subscribed(provider);
    const before = subscriptionSchema.parse(
      (await world.operator.get(`/api/billing/subscriptions/${id}`)).body,
    );
    const acts = {
      reactivate: () => world.command(id, 'reactivate'),
      planChange: () => world.change(id, { plan: 'large' }),
      seatChange: () => world.change(id, { seats: 2 }),
    } as const;
    for (const [name, act] of Object.entries(acts) as [
      keyof typeof acts,
      () => ReturnType<typeof world.change>,
    ][]) {
      const { supported, available } = before.capabilities[name];
      if (available) continue;
      const refused = await act();
      expect(refused.status).toBe(supported ? 409 : 422);
      expect(refused.body).toMatchObject({
        code: supported ? 'capability_unavailable' : 'capability_unsupported',
        capability: { name, available: false },
      });
    }
    expect(await world.show(id)).toMatchObject({ plan: { slug: 'pro' }, seats: 1, version: before.version });
    if (!before.capabilities.planChange.available) return;
    const preview = await world.operator.post(`/api/billing/subscriptions/${id}/change`, {
      body: { planId: world.plans.large.planId },
      query: { dryRun: 'true' },
    });
    const changed = await world.change(id, { plan: 'large' });
    expect([preview.status, changed.status]).toEqual([200, 200]);
    // The change does what the preview promised.
    expect(changed.body['effective']).toBe(preview.body['effective']);
    expect(changed.body['requiresCustomerAction']).toBe(preview.body['requiresCustomerAction']);
  });
});

/** References of a subscription and a checkout that do not exist, per provider. */
const ABSENT: Record<PaymentProvider, { subscription: string; checkout: ProviderReference }> = {
  provider_a: { subscription: 'sub_nobody', checkout: { kind: 'checkout', reference: 'nothing-1' } },
  provider_b: { subscription: 'I-NOBODY', checkout: { kind: 'order', reference: 'nothing-1' } },
  provider_c: { subscription: 'SUB_nobody', checkout: { kind: 'payment', reference: 'nothing-1' } },
};

describe.each(Object.keys(ABSENT) as PaymentProvider[])('the adapter of %s', (provider) => {
  const { subscription: nothing, checkout } = ABSENT[provider];
  const options = () => ({ key: randomUUID(), repeated: false, reference: nothing, reason: 'Test.' });
  const calls = (opened: Awaited<ReturnType<typeof world.open>>) => {
    const { adapter, access } = opened;
    return {
      fetchSubscription: () => adapter.fetchSubscription(access, nothing),
      cancelSubscription: () => adapter.cancelSubscription(access, options()),
      fetchCheckout: () => adapter.fetchCheckout(access, checkout),
    };
  };

  test('says of what is not there that it is not there', async () => {
    const opened = await world.open(provider);
    for (const call of Object.values(calls(opened))) {
      expect(await call()).toMatchObject({ kind: 'declined', code: 'not_found' });
    }
  });

  test('does not know what a provider that is away would say', async () => {
    const opened = await world.open(provider);
    const away = { ...opened, access: { ...opened.access, baseUrl: 'http://127.0.0.1:1' } };
    for (const call of Object.values(calls(away))) expect(await call()).toMatchObject({ kind: 'unknown' });
  });

  test('does nothing with credentials that are none', async () => {
    const opened = await world.open(provider);
    const none = { ...opened, access: { ...opened.access, connectionId: 'conn_none', secrets: {} } };
    for (const call of Object.values(calls(none))) {
      expect(['declined', 'unknown']).toContain((await call()).kind);
    }
    expect(await calls(none).cancelSubscription()).toMatchObject({
      kind: 'declined',
      code: 'connection_incomplete',
    });
  });
});
