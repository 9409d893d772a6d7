import { DAY_MS } from '../../src/domain/instant';
import { ProviderCRig } from '../support/provider-c-rig';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useProviderRow } from '../support/use-provider-world';

/** Section 6.2, provider C's subscription and invoice events, in one world. */
const { world, row } = useProviderRow();
let rig: ProviderCRig;
beforeAll(() => {
  rig = new ProviderCRig(world);
});

const CREATED = 'subscription.create';
const NOT_RENEW = 'subscription.not_renew';
const DISABLE = 'subscription.disable';
const FAILED = 'invoice.payment_failed';
const UPDATE = 'invoice.update';

type Data = Record<string, unknown>;

/** Creates a subscription whose renewal could not be charged. */
async function unpaid(): Promise<WorldSubscription> {
  const sub = await world.subscribe('provider_c');
  rig.setCards(sub, 'decline');
  await rig.turnPeriod(sub);
  return sub;
}

describe(CREATED, () => {
  async function stored(): Promise<{ id: string; eventType: string; status: string }[]> {
    const { body } = await world.operator.get('/api/webhooks', { query: { provider: 'provider_c' } });
    return (body['data'] as { id: string; eventType: string; status: string }[]).filter(
      ({ eventType }) => eventType === CREATED,
    );
  }

  test('it comes before its code is known here, is kept, and is applied once it is', async () => {
    const sub = await world.subscribe('provider_c');
    expect(row.happened(sub, CREATED)).toBe(1);
    expect(await stored()).toMatchObject([{ status: 'applied' }]);
    expect(await world.show(sub.id)).toMatchObject({ status: 'active', providerReference: sub.reference });
  });

  test('of a subscription that is not known, it changes nothing and is kept', async () => {
    const sub = await world.subscribe('provider_c');
    const before = await row.terms(sub);
    const { status, eventId } = await rig.tell(CREATED, {
      subscription_code: 'SUB_unknown',
      status: 'active',
    });
    expect([status, await rig.endOf(eventId)]).toEqual([200, 'unmatched']);
    expect(await row.terms(sub)).toEqual(before);
  });

  test('it brings no e-mail token; the cancel that follows asks for it', async () => {
    const sub = await world.subscribe('provider_c');
    expect(await world.command(sub.id, 'cancel')).toMatchObject({ status: 200 });
    const rows = await world.service.database.query<{ body: string }>(
      `SELECT to_jsonb(s)::text AS body FROM tollgate.subscriptions s WHERE id = $1`,
      [sub.id],
    );
    expect(rows[0]?.body).not.toContain('email_token');
  });
});

describe(NOT_RENEW, () => {
  test('stopped on the provider’s own page, it does not renew here; the end of its period stays known', async () => {
    const sub = await world.subscribe('provider_c');
    const { currentPeriodEnd } = await world.show(sub.id);
    await rig.pressOnPage(sub);
    expect(await world.show(sub.id)).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      currentPeriodEnd,
    });
    expect(await row.access(sub)).toBe(1_000);
    expect(await row.timeline(sub)).toEqual([
      { kind: 'cancel_scheduled', message: `${sub.externalId}'s pro no longer renews.` },
    ]);
    expect(await row.capabilities(sub)).toMatchObject({
      cancel: 'already_cancelling',
      reactivate: 'available',
    });
    expect(await world.command(sub.id, 'cancel')).toMatchObject({ status: 200 });
    expect(row.happened(sub, NOT_RENEW)).toBe(1);
  });

  test('repeated, it is reported once', async () => {
    const sub = await world.subscribe('provider_c');
    await rig.sendingTwice(() => rig.pressOnPage(sub));
    expect(await row.kinds(sub)).toEqual(['cancel_scheduled']);
  });

  test('an old one changes nothing once it was taken back; the next one, equal to the byte, counts', async () => {
    const sub = await world.subscribe('provider_c');
    await rig.pressOnPage(sub);
    expect(await world.command(sub.id, 'reactivate')).toMatchObject({ status: 200 });
    expect(rig.resend(sub, NOT_RENEW)).toBe(true);
    await world.settle();
    expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: false });

    await rig.pressOnPage(sub);
    expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'reactivated', 'cancel_scheduled']);
  });

  test('taken back on the page, of which no webhook tells: the boundary’s reading finds it renewed', async () => {
    const sub = await world.subscribe('provider_c');
    const end = await rig.periodEnd(sub);
    await rig.pressOnPage(sub);
    await rig.pressOnPage(sub);
    expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: true });
    row.lose(true);
    await world.advanceTo(end + 60_000);
    const renewed = await world.show(sub.id);
    expect(renewed).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
    expect(periodEnd(renewed)).toBeGreaterThan(end);
    expect(await row.access(sub)).toBe(1_000);
  });
});

describe(DISABLE, () => {
  test('with the last of a limited number of charges, it leaves the paid period', async () => {
    const { provider_c: connection } = world.connections;
    const secretKey = world.secrets.provider_c['secretKey'] ?? '';
    const webhookUrl = `${world.service.urls.sandbox}/v1/webhooks/provider_c?connection=${connection}`;
    const twice = { amount: 1_000, currency: 'USD', interval: 'monthly', invoice_limit: 2 } as const;
    const plans = [{ code: 'PLN_twice', name: 'Twice', ...twice }];
    world.simulators.providers.c.account({ secretKey, webhookUrl, plans });
    const map = (starter: string) =>
      world.operator.patch(`/api/provider-connections/${connection}`, {
        body: { settings: { planReferences: { starter, pro: 'PLN_pro', large: 'PLN_large' } } },
      });
    await map('PLN_twice');
    try {
      const sub = await world.subscribe('provider_c', { plan: 'starter' });
      const end = await rig.periodEnd(sub);
      const access = await row.access(sub);
      await rig.turnPeriod(sub);
      expect(await world.show(sub.id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
      expect(await rig.periodEnd(sub)).toBeGreaterThan(end);
      expect(await row.access(sub)).toBe(access);
      const { body } = await world.operator.get(`/api/billing/subscriptions/${sub.id}/drift`);
      expect(body).toMatchObject({ inSync: true, differences: [] });
      const refused = await world.command(sub.id, 'reactivate');
      expect([refused.status, refused.body['detail']]).toEqual([
        409,
        'The subscription cannot be renewed any more. Start a new one after its end.',
      ]);
      await world.settle();
      expect(await world.show(sub.id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
      await rig.turnPeriod(sub);
      expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled' });
      const { externalId } = sub;
      expect(await row.timeline(sub)).toMatchObject([
        { kind: 'period_turned' },
        { kind: 'cancel_scheduled', message: `${externalId}'s starter no longer renews.` },
        {
          kind: 'cancelled',
          message: `${externalId}'s starter ended at the payment provider after its last billing cycle.`,
        },
      ]);
    } finally {
      await map('PLN_starter');
    }
  });

  async function cancelled(): Promise<{ sub: WorldSubscription; end: number }> {
    const sub = await world.subscribe('provider_c');
    await world.command(sub.id, 'cancel');
    return { sub, end: await rig.periodEnd(sub) };
  }

  test('it ends the subscription, once however often it comes; access goes with it', async () => {
    const { sub, end } = await cancelled();
    expect(row.happened(sub, DISABLE)).toBe(0);
    await rig.sendingTwice(() => rig.turnAtProvider(end));
    expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled', waitingFor: null });
    expect(await row.access(sub)).toBe('no_active_subscription');
    expect((await row.timeline(sub)).at(-1)).toEqual({
      kind: 'cancelled',
      message: `${sub.externalId}'s pro was cancelled at the payment provider.`,
    });
    expect(await row.events(sub, 'cancelled')).toEqual(['OK']);
    await rig.catchUp();
    expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'cancelled']);
  });

  test('one that comes before the boundary of a cancelled subscription does not end it early', async () => {
    const { sub } = await cancelled();
    const before = await row.terms(sub);
    const data = { subscription_code: sub.reference, status: 'non-renewing', next_payment_date: null };
    expect(await rig.tell(DISABLE, data)).toMatchObject({ status: 200 });
    expect(await row.terms(sub)).toEqual(before);
  });

  test('while the provider cannot be read it is answered with an error; delivered again, it ends it', async () => {
    const { sub, end } = await cancelled();
    row.break('provider_c', '/subscription', 'answer_500');
    await rig.turnAtProvider(end);
    expect(rig.sentAbout(sub, DISABLE)?.attempts.at(-1)?.status).toBeGreaterThanOrEqual(500);
    expect(await world.show(sub.id)).toMatchObject({ status: 'active' });
    row.hearAgain();
    await world.simulators.core.outbox.retryNow();
    expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled' });
    await rig.catchUp();
    expect(await row.kinds(sub)).toEqual(['cancel_scheduled', 'cancelled']);
  });
});

describe(FAILED, () => {
  test('it makes the subscription past due: access for the days of grace, and then no more', async () => {
    const sub = await unpaid();
    expect(row.happened(sub, FAILED)).toBe(1);
    expect(await world.show(sub.id)).toMatchObject({ status: 'past_due' });
    expect(await row.access(sub)).toBe(1_000);
    expect((await rig.paymentsOf(sub)).map(({ status }) => status)).toEqual(['succeeded']);
    expect(await row.timeline(sub)).toContainEqual({
      kind: 'became_past_due',
      message: `The payment provider could not collect the payment for ${sub.externalId}'s pro.`,
    });
    expect(await row.capabilities(sub)).toMatchObject({
      cancel: 'available',
      planChange: 'change_not_offered',
    });
    await world.advanceBy(8 * DAY_MS);
    expect(await row.access(sub)).toBe('subscription_past_due');
  });

  test('the next charge that succeeds brings it back; an old failure told again does not', async () => {
    const sub = await unpaid();
    rig.setCards(sub, 'succeed');
    await rig.turnPeriod(sub);
    expect(await world.show(sub.id)).toMatchObject({ status: 'active', pastDueSince: null });
    expect(await row.access(sub)).toBe(1_000);
    const before = await row.terms(sub);
    const kinds = await row.kinds(sub);
    expect(rig.resend(sub, FAILED)).toBe(true);
    await world.settle();
    expect(await row.terms(sub)).toEqual(before);
    expect(await row.kinds(sub)).toEqual(kinds);
  });

  test('lost, it is found at the boundary', async () => {
    const sub = await world.subscribe('provider_c');
    rig.setCards(sub, 'decline');
    row.lose(true);
    await rig.turnPeriod(sub);
    expect(await world.show(sub.id)).toMatchObject({ status: 'past_due' });
  });
});

describe(UPDATE, () => {
  test('a successful one renews the subscription, and its payment is recorded once, told twice and with its charge', async () => {
    const sub = await world.subscribe('provider_c');
    const { currentPeriodEnd } = await world.show(sub.id);
    await rig.sendingTwice(() => rig.turnPeriod(sub));
    expect(row.happened(sub, UPDATE)).toBe(1);
    expect(await world.show(sub.id)).toMatchObject({
      status: 'active',
      currentPeriodStart: currentPeriodEnd,
    });
    expect(await rig.amountsPaid(sub)).toEqual(['3000', '3000']);
    expect(await row.kinds(sub)).toEqual(['period_turned']);
  });

  test('it alone is enough: the provider’s clock is ahead, and nothing else is heard', async () => {
    const sub = await world.subscribe('provider_c');
    const end = await rig.periodEnd(sub);
    row.lose(true);
    await rig.turnAtProvider(end);
    row.lose(false);
    rig.resend(sub, UPDATE);
    await deliverWebhooks(world.simulators.core.outbox);
    expect(await rig.periodEnd(sub)).toBeGreaterThan(end);
    expect(await rig.amountsPaid(sub)).toEqual(['3000', '3000']);
    await rig.catchUp();
    expect(await row.kinds(sub)).toEqual(['period_turned']);
  });

  test.each([
    ['failed', 'applied', { paid: false, status: 'failed' }],
    ['pending', 'ignored', { paid: false, status: 'pending' }],
    ['paid by one word and not by the other', 'ignored', { paid: true, status: 'pending' }],
  ])('one that is %s is %s, and changes nothing that the provider does not say', async (_, end, outcome) => {
    const sub = await world.subscribe('provider_c');
    const before = await row.terms(sub);
    const transaction = { reference: 'nothing', status: 'failed', amount: 3000, currency: 'USD' };
    const subscription = { subscription_code: sub.reference };
    const data = { invoice_code: 'INV_other', ...outcome, transaction, subscription };
    const { status, eventId } = await rig.tell(UPDATE, data);
    expect([status, await rig.endOf(eventId)]).toEqual([200, end]);
    expect(await row.terms(sub)).toEqual(before);
    expect(await rig.amountsPaid(sub)).toEqual(['3000']);
  });

  test('the one that settles a failed renewal makes it active again', async () => {
    const sub = await unpaid();
    expect(await world.show(sub.id)).toMatchObject({ status: 'past_due' });
    rig.setCards(sub, 'succeed');
    await rig.turnPeriod(sub);
    expect(await world.show(sub.id)).toMatchObject({ status: 'active' });
    expect(await row.kinds(sub)).toContain('recovered');
  });

  test('a renewal whose charge comes before its invoice is told of by the integrator’s own name of the customer', async () => {
    const sub = await world.subscribe('provider_c');
    await rig.turnPeriod(sub);
    const query = { eventType: 'PAYMENT_RECORDED', take: '2' };
    const { body } = await world.operator.get('/api/developer-events', { query });
    const externalIds = (body['data'] as { data: Record<string, unknown> }[]).map(
      ({ data }) => data['externalId'],
    );
    expect(externalIds).toEqual([sub.externalId, sub.externalId]);
  });

  test('a renewal whose charge comes before its invoice stands in the timeline, and is one event', async () => {
    const sub = await world.subscribe('provider_c');
    const countEvents = async () =>
      (await world.history(sub.id)).filter((kind) => kind === 'payment_recorded').length;
    const events = async () => {
      const query = { eventType: 'PAYMENT_RECORDED', take: '200', customerId: await customerOf(sub) };
      return ((await world.operator.get('/api/developer-events', { query })).body['data'] as unknown[])
        .length;
    };
    const before = [await countEvents(), await events()];
    for (const renewals of [1, 2]) {
      await rig.turnPeriod(sub);
      expect([await countEvents(), await events()]).toEqual(before.map((count) => count + renewals));
    }
  });

  async function customerOf({ id }: WorldSubscription): Promise<string> {
    return String((await world.show(id))['customerId']);
  }
});

/** The provider is asked for the current state, so none of these changes anything here. */
describe('an event that the provider does not confirm', () => {
  const sent: [string, string, (sub: WorldSubscription, periodEnd: string) => Data][] = [
    [
      'told again, it changes nothing; what it says of long ago does not count',
      CREATED,
      ({ reference }) => ({
        subscription_code: reference,
        status: 'active',
        amount: 1,
        next_payment_date: '2020-01-01T00:00:00.000Z',
        plan: { plan_code: 'PLN_large' },
      }),
    ],
    [
      'one that comes while the provider still bills the subscription is not taken for its end',
      DISABLE,
      ({ reference }, end) => ({
        subscription_code: reference,
        status: 'complete',
        next_payment_date: end,
        email_token: 'token',
      }),
    ],
    [
      'one that says so of a subscription that is paid changes nothing: the provider is asked',
      FAILED,
      ({ reference }) => ({
        invoice_code: 'INV_never',
        paid: false,
        status: 'pending',
        transaction: {},
        subscription: { subscription_code: reference, status: 'active' },
      }),
    ],
  ];
  test.each(sent)('%s (%s)', async (_, event, dataOf) => {
    const sub = await world.subscribe('provider_c');
    const before = await row.terms(sub);
    const { currentPeriodEnd } = await world.show(sub.id);
    expect(await rig.tell(event, dataOf(sub, currentPeriodEnd))).toMatchObject({ status: 200 });
    expect(await row.terms(sub)).toEqual(before);
    expect(await row.kinds(sub)).toEqual([]);
  });

  test.each([
    [CREATED, {}],
    [NOT_RENEW, { status: 'non-renewing', next_payment_date: null }],
  ])('signed with another key it is refused (%s)', async (event, data) => {
    const sub = await world.subscribe('provider_c');
    const before = await row.terms(sub);
    const { status } = await rig.tell(event, { subscription_code: sub.reference, ...data }, 'sk_test_other');
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: false });
    expect(await row.terms(sub)).toEqual(before);
  });
});
