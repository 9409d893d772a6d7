import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { ProviderPayments, type CollectedPayment } from './provider-payments';
import { useStarted } from '../support/use-started';

/** Refunds made at the provider, which are completed later and whose final webhook is lost. */
const world = useStarted(() => ProviderPayments.start());

/** The account of A: refunds of its slow bank wait for the test; those of C end within a minute. */
const accountOfA = () => {
  const { secretKey = '' } = world.calls.provider_a.secrets;
  return world.simulators.providers.a.account({ secretKey });
};

/** Makes a pending refund of the payment, which the provider has reported. */
async function refunded({ provider, reference, paymentId }: CollectedPayment): Promise<string> {
  accountOfA().setRefundsPending(true);
  const name = await world.calls[provider].refund(reference, 900);
  await world.arrive();
  const [refund] = await world.refunds(paymentId);
  expect(refund).toMatchObject({ status: 'pending', amount: '900' });
  if (provider === 'provider_a') expect(refund?.reference).toBe(name);
  return refund?.id ?? '';
}

/** Ends the refund at the provider while its webhooks are lost. */
async function endUnheard({ provider, reference }: CollectedPayment): Promise<void> {
  const { outbox } = world.simulators.core;
  outbox.switches.drop = true;
  const [refund] = await world.calls[provider].refunds(reference);
  if (provider === 'provider_a') accountOfA().settleRefund(refund?.id ?? '', 'succeeded');
  await world.pass(60_000);
  outbox.switches.drop = false;
}

/** Returns whether the sweep would find the refund overdue at that instant. */
async function isOverdue(refundId: string, instant: number): Promise<boolean> {
  const rows = await world.rows<{ id: string }>('SELECT id FROM tollgate.find_overdue_refunds($1, 100)', [
    new Date(instant),
  ]);
  return rows.some(({ id }) => id === refundId);
}

function catchUp(refundId: string): Promise<unknown> {
  const { workspaceId } = world.operator;
  return world.service.direct.catchUpRefund({ workspaceId, environment: 'sandbox' }, refundId);
}

async function disable({ provider }: CollectedPayment, disabled: boolean): Promise<void> {
  const path = `/api/provider-connections/${world.connections[provider]}`;
  await world.operator.patch(path, { body: { disabled } });
}

test.each(['provider_a', 'provider_c'] as const)(
  'a pending one of %s is looked at until it has ended, and never sent',
  async (provider) => {
    const payment = await world.collect(provider);
    const refundId = await refunded(payment);
    expect(await isOverdue(refundId, world.service.clock.now() + HOUR_MS)).toBe(true);
    await disable(payment, true);
    await catchUp(refundId);
    await disable(payment, false);
    expect(await world.refunds(payment.paymentId)).toMatchObject([{ status: 'pending' }]);
    await endUnheard(payment);
    await catchUp(refundId);
    const [there] = await world.calls[provider].refunds(payment.reference);
    expect(await world.refunds(payment.paymentId)).toMatchObject([
      { id: refundId, status: 'succeeded', amount: '900', reference: there?.id },
    ]);
    expect(await world.calls[provider].refunds(payment.reference)).toHaveLength(1);
    expect(await isOverdue(refundId, world.service.clock.now() + DAY_MS)).toBe(false);
    const { body } = await world.operator.get('/api/developer-events', {
      query: { eventType: 'REFUND_RECORDED', take: '200' },
    });
    const recorded = (body['data'] as { status: string; data: { refundId: string } }[]).filter(
      ({ data }) => data.refundId === refundId,
    );
    expect(recorded.map(({ status }) => status)).toEqual(['OK', 'PENDING']);
  },
);

test.each(['provider_a', 'provider_b', 'provider_c'] as const)(
  'what %s has given back and nobody has heard of leaves less: more is refused with words, and then it is known',
  async (provider) => {
    accountOfA().setRefundsPending(false);
    const payment = await world.collect(provider);
    const { outbox } = world.simulators.core;
    outbox.switches.drop = true;
    await world.calls[provider].refund(payment.reference, 2_000);
    await world.pass(60_000);
    outbox.switches.drop = false;
    const { currency } = world.calls[provider];
    const body = { paymentId: payment.paymentId, amount: { amount: '1500', currency } };
    const headers = { 'Idempotency-Key': randomUUID() };
    const refused = await world.operator.post('/api/billing/refunds', { body, headers });
    expect([refused.status, refused.body['code']]).toEqual([409, 'refund_exceeds_payment']);
    const names = provider !== 'provider_b';
    expect(refused.body['detail']).toMatch(
      names ? /20\.00 .* was already refunded .* 9\.00 / : /smaller refundable amount/,
    );
    const again = await world.operator.post('/api/billing/refunds', { body, headers });
    expect([again.status, again.body['code']]).toEqual([409, 'refund_exceeds_payment']);
    const known = (await world.refunds(payment.paymentId))
      .map(({ amount, status }) => [amount, status])
      .sort();
    expect(known).toEqual([['1500', 'failed'], ...(names ? [['2000', 'succeeded']] : [])]);
    const shown = await world.operator.get(`/api/billing/payments/${payment.paymentId}`);
    expect(shown.body['refundableAmount']).toMatchObject({ amount: names ? '900' : '2900' });
  },
);

/** Returns the refund's status and what it waits for, as the API shows it. */
async function shownState(refundId: string): Promise<unknown[]> {
  const { body } = await world.operator.get(`/api/billing/refunds/${refundId}`);
  return [body['status'], body['waitingFor']];
}

const WAYS = ['webhook', 'reading'] as const;
test.each([
  ['insufficient_funds', 'webhook', 'The balance at the payment provider is too low'],
  ['insufficient_funds', 'reading', 'The balance at the payment provider is too low'],
  ['requires_action', 'webhook', 'asked the customer by e-mail for the bank details'],
  ['requires_action', 'reading', 'asked the customer by e-mail for the bank details'],
] as const)(
  'one that A holds because of %s says so, until a %s reports that it was paid out',
  async (hold, way, words) => {
    const payment = await world.collect('provider_a');
    accountOfA().setRefundsPending(hold);
    const name = await world.calls.provider_a.refund(payment.reference, 900);
    await world.arrive();
    accountOfA().setRefundsPending(false);
    const refundId = (await world.refunds(payment.paymentId))[0]?.id ?? '';
    expect(await shownState(refundId)).toEqual(['pending', expect.stringContaining(words)]);
    expect((await eventsOf(refundId))[0]).toMatchObject({ status: 'ERROR' });
    const { outbox } = world.simulators.core;
    outbox.switches.drop = way === 'reading';
    accountOfA().settleRefund(name, 'succeeded');
    await world.arrive();
    outbox.switches.drop = false;
    if (way === 'reading') await catchUp(refundId);
    expect(await shownState(refundId)).toEqual(['succeeded', null]);
  },
);

test.each(WAYS)(
  'one that waits for details at C goes on once they are entered there, also if only a %s reports it',
  async (way) => {
    const payment = await world.collect('provider_c');
    accountOfC().setRefundsEnd('needs-attention');
    const name = await world.calls.provider_c.refund(payment.reference, 900);
    await world.pass(60_000);
    accountOfC().setRefundsEnd('processed');
    const refundId = (await world.refunds(payment.paymentId))[0]?.id ?? '';
    expect(await shownState(refundId)).toEqual([
      'pending',
      expect.stringContaining('bank details of the customer'),
    ]);
    const { outbox } = world.simulators.core;
    outbox.switches.drop = way === 'reading';
    const enter = async () => {
      const answer = await fetch(`${world.simulators.urls.c}/refund/retry_with_customer_details/${name}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${world.calls.provider_c.secrets['secretKey'] ?? ''}`,
          'content-type': 'application/json',
          'user-agent': 'dashboard',
        },
        body: JSON.stringify({
          refund_account_details: { currency: 'NGN', account_number: '0123456789', bank_id: '9' },
        }),
      });
      return answer.status;
    };
    expect(await enter()).toBe(200);
    await world.arrive();
    if (way === 'reading') await catchUp(refundId);
    expect(await shownState(refundId)).toEqual(['pending', expect.stringContaining('is processing it')]);
    expect(await enter()).toBe(422);
    await world.pass(60_000);
    outbox.switches.drop = false;
    if (way === 'reading') await catchUp(refundId);
    expect(await shownState(refundId)).toEqual(['succeeded', null]);
  },
);

/** The refund's developer events, newest first. */
async function eventsOf(refundId: string): Promise<{ status: string; message: string }[]> {
  const { body } = await world.operator.get('/api/developer-events', {
    query: { eventType: 'REFUND_RECORDED', take: '200' },
  });
  type Recorded = { status: string; message: string; data: { refundId: string } };
  return (body['data'] as Recorded[]).filter(({ data }) => data.refundId === refundId);
}

const accountOfC = () => {
  const { secretKey = '' } = world.calls.provider_c.secrets;
  return world.simulators.providers.c.controls(secretKey);
};

test.each(WAYS)(
  'one that C cannot pay out without the customer’s details says so, whether a %s reports it',
  async (way) => {
    const payment = await world.collect('provider_c');
    accountOfC().setRefundsEnd('needs-attention');
    await world.calls.provider_c.refund(payment.reference, 900);
    await world.arrive();
    const [refund] = await world.refunds(payment.paymentId);
    const refundId = refund?.id ?? '';
    const { outbox } = world.simulators.core;
    outbox.switches.drop = way === 'reading';
    await world.pass(60_000);
    outbox.switches.drop = false;
    accountOfC().setRefundsEnd('processed');
    if (way === 'reading') await catchUp(refundId);
    const shown = await world.operator.get(`/api/billing/refunds/${refundId}`);
    expect(shown.body).toMatchObject({
      status: 'pending',
      waitingFor: expect.stringContaining('bank details of the customer') as string,
    });
    const [latest, ...earlier] = await eventsOf(refundId);
    expect(latest).toMatchObject({
      status: 'ERROR',
      message: expect.stringContaining('Enter them in its dashboard') as string,
    });
    expect(earlier.map(({ status }) => status)).not.toContain('ERROR');
    // A provider that cannot be read answers nothing new, and nothing is said twice.
    await disable(payment, true);
    await catchUp(refundId);
    await disable(payment, false);
    await catchUp(refundId);
    expect(await eventsOf(refundId)).toHaveLength(1 + earlier.length);
  },
);
