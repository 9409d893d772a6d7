import {
  linkOf,
  startSimulatedProviderB,
  type Answered,
  type SimulatedProviderB,
} from '../providers/provider-b/simulated-provider-b';

const PATH = '/v1/billing/subscriptions';

let b: SimulatedProviderB;
beforeEach(async () => {
  b = await startSimulatedProviderB({ start: '2027-01-31T15:20:00Z' });
});
afterEach(() => b.stop());

const context = { return_url: 'https://shop.example/back', cancel_url: 'https://shop.example/no' };

async function subscribe(choice = 'approve', extra: object = {}): Promise<string> {
  const body = { plan_id: 'P-BASIC', quantity: '3', application_context: context, ...extra };
  const made = await b.call('POST', PATH, body);
  await b.choose(linkOf(made, 'approve'), choice);
  return made.body.id;
}

async function read(id: string): Promise<Answered['body'] & { billing_info: Record<string, unknown> }> {
  const { body } = await b.call('GET', `${PATH}/${id}`);
  return body as Awaited<ReturnType<typeof read>>;
}

async function events(): Promise<string[]> {
  return (await b.webhooks()).map(({ event }) => event.event_type.replace('BILLING.SUBSCRIPTION.', ''));
}

function issueOf(answer: Answered): string | undefined {
  return (answer.body['details'] as { issue: string }[] | undefined)?.[0]?.issue;
}

describe('provider B’s subscriptions', () => {
  it('begin when the payer approves, and are paid at each end of a month', async () => {
    const made = await b.call('POST', PATH, {
      plan_id: 'P-BASIC',
      quantity: '3',
      application_context: context,
    });
    expect([made.status, made.body.status]).toEqual([201, 'APPROVAL_PENDING']);
    expect(made.body['billing_info']).toBeUndefined();
    const back = await b.choose(linkOf(made, 'approve'), 'approve');
    expect(back.searchParams.get('subscription_id')).toBe(made.body.id);

    const active = await read(made.body.id);
    expect([active.status, active['quantity']]).toEqual(['ACTIVE', '3']);
    expect(active.billing_info).toMatchObject({
      next_billing_time: '2027-02-28T10:00:00Z',
      last_payment: { amount: { value: '30.0', currency_code: 'USD' } },
    });
    expect(await events()).toEqual(['CREATED', 'ACTIVATED', 'PAYMENT.SALE.COMPLETED', 'UPDATED']);

    await b.core.clock.advanceTo(Date.parse('2027-03-01T00:00:00Z'));
    // The short month does not move the months after it.
    expect((await read(made.body.id)).billing_info['next_billing_time']).toBe('2027-03-31T10:00:00Z');
    expect(await events()).toEqual(['PAYMENT.SALE.COMPLETED', 'UPDATED']);
  });

  it('tell of payments in the words of version 1', async () => {
    const id = await subscribe();
    const sale = (await b.webhooks()).find(({ event }) => event.event_type === 'PAYMENT.SALE.COMPLETED');
    expect(sale?.event.resource).toMatchObject({
      billing_agreement_id: id,
      amount: { total: '30.0', currency: 'USD' },
      state: 'completed',
    });
    expect(sale?.raw.toString()).toContain('"details":{"subtotal":30.0}');
    const saleId = String(sale?.event.resource['id']);
    const path = `/v1/payments/sale/${saleId}`;
    await b.call('POST', `${path}/refund`, { amount: { total: '10.00', currency: 'USD' } });
    expect((await b.call('GET', path)).body['state']).toBe('partially_refunded');
    const [refund] = await b.webhooks();
    expect(refund?.event).toMatchObject({
      event_type: 'PAYMENT.SALE.REFUNDED',
      resource: { sale_id: saleId, amount: { total: '-10.00' }, total_refunded_amount: { value: '10.0' } },
    });
    expect(
      issueOf(await b.call('POST', `${path}/refund`, { amount: { total: '20.01', currency: 'USD' } })),
    ).toBe('REFUND_EXCEEDED_TRANSACTION_AMOUNT');
  });

  it('keep their plan after a revision until the payer agrees', async () => {
    const id = await subscribe();
    const revise = (): Promise<Answered> =>
      b.call('POST', `${PATH}/${id}/revise`, {
        plan_id: 'P-PRO',
        quantity: '2',
        application_context: context,
      });
    const first = await revise();
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ plan_id: 'P-PRO', quantity: '2', plan_overridden: false });
    expect([first.body.id, first.body.status]).toEqual([undefined, undefined]);
    expect((await read(id))['plan_id']).toBe('P-BASIC');

    await b.choose(linkOf(first, 'approve'), 'decline');
    expect((await read(id))['plan_id']).toBe('P-BASIC');
    await b.webhooks();

    const second = await revise();
    expect((await fetch(linkOf(first, 'approve'))).status).toBe(404);
    await b.choose(linkOf(second, 'approve'), 'approve');
    const [updated] = await b.webhooks();
    expect(updated?.event).toMatchObject({
      event_type: 'BILLING.SUBSCRIPTION.UPDATED',
      resource: {
        plan_id: 'P-PRO',
        quantity: '2',
        billing_info: { next_billing_time: '2027-02-28T10:00:00Z' },
      },
    });
    await b.core.clock.advanceTo(Date.parse('2027-03-01T00:00:00Z'));
    expect((await read(id)).billing_info['last_payment']).toMatchObject({ amount: { value: '51.0' } });
  });

  it('take a revision at once when a card pays them, and none to another product', async () => {
    const id = await subscribe('approve_card');
    const revised = await b.call('POST', `${PATH}/${id}/revise`, { plan_id: 'P-PRO' });
    expect(() => linkOf(revised, 'approve')).toThrow();
    expect((await read(id))['plan_id']).toBe('P-PRO');
    const refused = await b.call('POST', `${PATH}/${id}/revise`, { plan_id: 'P-OTHER' });
    expect([refused.status, issueOf(refused)]).toEqual([422, 'PLAN_PRODUCT_NOT_COMPATIBLE']);
  });

  it('are cancelled at once and for good, with a reason', async () => {
    const id = await subscribe();
    const cancel = (body: object): Promise<Answered> => b.call('POST', `${PATH}/${id}/cancel`, body);
    expect(issueOf(await cancel({}))).toBe('MISSING_REQUIRED_PARAMETER');
    expect((await cancel({ reason: 'asked to' })).status).toBe(204);
    expect(issueOf(await cancel({ reason: 'again' }))).toBe('SUBSCRIPTION_STATUS_INVALID');
    const { status, billing_info: billing } = await read(id);
    expect([status, billing['next_billing_time']]).toEqual(['CANCELLED', undefined]);
    await b.webhooks();
    await b.core.clock.advanceTo(Date.parse('2027-06-01T00:00:00Z'));
    expect(await events()).toEqual([]);
  });

  it('cannot be cancelled, changed or paid before the payer agrees', async () => {
    const made = await b.call('POST', PATH, { plan_id: 'P-BASIC', application_context: context });
    const { id } = made.body;
    const cancelled = await b.call('POST', `${PATH}/${id}/cancel`, { reason: 'x' });
    const revised = await b.call('POST', `${PATH}/${id}/revise`, { plan_id: 'P-PRO' });
    expect([issueOf(cancelled), issueOf(revised)]).toEqual([
      'SUBSCRIPTION_STATUS_INVALID',
      'SUBSCRIPTION_STATUS_INVALID',
    ]);
    expect((await read(id)).status).toBe('APPROVAL_PENDING');
  });

  it('list their payments within a range, which has to be given', async () => {
    const id = await subscribe();
    const sale = (await b.webhooks()).find(({ event }) => event.event_type === 'PAYMENT.SALE.COMPLETED');
    const saleId = String(sale?.event.resource['id']);
    await b.call('POST', `/v1/payments/sale/${saleId}/refund`, {
      amount: { total: '1.00', currency: 'USD' },
    });
    await b.core.clock.advanceTo(Date.parse('2027-03-01T00:00:00Z'));
    const list = (query: string): Promise<Answered> => b.call('GET', `${PATH}/${id}/transactions${query}`);
    const january = await list('?start_time=2027-01-01T00:00:00Z&end_time=2027-02-01T00:00:00.000Z');
    expect(january.body['transactions']).toMatchObject([
      {
        id: saleId,
        status: 'PARTIALLY_REFUNDED',
        amount_with_breakdown: { gross_amount: { value: '30.00', currency_code: 'USD' } },
      },
    ]);
    const both = await list('?start_time=2027-01-01T00:00:00Z&end_time=2027-03-01T00:00:00Z');
    expect(both.body['transactions']).toHaveLength(2);
    expect([(await list('')).status, (await list('?start_time=2027-01-01T00:00:00Z')).status]).toEqual([
      400, 400,
    ]);
    expect((await b.call('GET', `${PATH}/I-NONE/transactions`)).status).toBe(404);
  });

  it('are suspended when a payment and its two retries have failed, which counts as one failure', async () => {
    const id = await subscribe();
    await b.webhooks();
    b.account.switches.failPayments = true;
    await b.core.clock.advanceTo(Date.parse('2027-03-01T00:00:00Z'));
    const retried = { failed_payments_count: 0, next_billing_time: '2027-02-28T10:00:00Z' };
    expect(await read(id)).toMatchObject({ status: 'ACTIVE', billing_info: retried });
    expect((await read(id)).billing_info['last_failed_payment']).toBeUndefined();
    const asked = await b.call('GET', `${PATH}/${id}?fields=last_failed_payment`);
    expect(asked.body['billing_info']).toMatchObject({
      last_failed_payment: {
        amount: { value: '30.0', currency_code: 'USD' },
        time: '2027-02-28T10:00:00Z',
        next_payment_retry_time: '2027-03-05T10:00:00Z',
      },
    });
    expect((await b.call('GET', `${PATH}/${id}?fields=plans`)).status).toBe(400);
    await b.core.clock.advanceTo(Date.parse('2027-03-15T00:00:00Z'));
    expect(await read(id)).toMatchObject({ status: 'SUSPENDED', billing_info: { failed_payments_count: 1 } });
    expect(await events()).toEqual(['PAYMENT.FAILED', 'PAYMENT.FAILED', 'PAYMENT.FAILED', 'SUSPENDED']);
  });

  it('owe what has failed, which the next payment charges, or the merchant does', async () => {
    b.account.webhooks.splice(0);
    const id = await subscribe('approve', { plan_id: 'P-PATIENT' });
    const owes = async (): Promise<unknown[]> => {
      const { status, billing_info: info } = await read(id);
      const { value } = info['outstanding_balance'] as { value: string };
      const paid = (info['last_payment'] as { amount: { value: string } }).amount.value;
      return [status, value, paid, info['failed_payments_count']];
    };
    b.account.switches.failPayments = true;
    await b.core.clock.advanceTo(Date.parse('2027-03-11T00:00:00Z'));
    expect(await owes()).toEqual(['ACTIVE', '30.0', '30.0', 1]);
    expect((await read(id)).billing_info['next_billing_time']).toBe('2027-03-31T10:00:00Z');
    b.account.switches.failPayments = false;
    await b.core.clock.advanceTo(Date.parse('2027-04-01T00:00:00Z'));
    expect(await owes()).toEqual(['ACTIVE', '0.0', '60.0', 0]);

    b.account.switches.failPayments = true;
    await b.core.clock.advanceTo(Date.parse('2027-06-30T00:00:00Z'));
    expect(await owes()).toEqual(['SUSPENDED', '60.0', '60.0', 2]);
    await b.call('POST', `${PATH}/${id}/activate`, {});
    expect(await owes()).toEqual(['ACTIVE', '60.0', '60.0', 2]);
    b.account.switches.failPayments = false;
    const capture = (value: string): Promise<Answered> =>
      b.call('POST', `${PATH}/${id}/capture`, {
        note: 'Owed',
        capture_type: 'OUTSTANDING_BALANCE',
        amount: { value, currency_code: 'USD' },
      });
    expect(issueOf(await capture('60.01'))).toBe('AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE');
    expect((await capture('45.00')).status).toBe(202);
    expect(await owes()).toEqual(['ACTIVE', '15.0', '45.0', 0]);
    expect((await capture('15.00')).status).toBe(202);
    expect(issueOf(await capture('1.00'))).toBe('ZERO_OUTSTANDING_BALANCE');
  });

  it('are paid late without moving the payments after it', async () => {
    const id = await subscribe();
    b.account.switches.failPayments = true;
    await b.core.clock.advanceTo(Date.parse('2027-03-01T00:00:00Z'));
    b.account.switches.failPayments = false;
    await b.core.clock.advanceTo(Date.parse('2027-03-06T00:00:00Z'));
    expect((await read(id)).billing_info).toMatchObject({
      failed_payments_count: 0,
      next_billing_time: '2027-03-31T10:00:00Z',
    });
  });

  it('expire when all cycles are paid', async () => {
    const id = await subscribe('approve', { plan_id: 'P-TWICE', quantity: undefined });
    await b.core.clock.advanceTo(Date.parse('2027-04-02T00:00:00Z'));
    expect((await read(id)).status).toBe('EXPIRED');
    expect((await events()).at(-1)).toBe('EXPIRED');
  });

  it.each([
    [{ plan_id: 'P-NONE' }, 404, 'INVALID_RESOURCE_ID'],
    [{ plan_id: 'P-OLD' }, 422, 'PLAN_STATUS_INVALID'],
    [{ plan_id: 'P-TWICE', quantity: '2' }, 422, 'SUBSCRIPTION_CANNOT_HAVE_QUANTITY'],
    [{ plan_id: 'P-BASIC', quantity: 2 }, 400, 'INVALID_PARAMETER_SYNTAX'],
    [{ quantity: '2' }, 400, 'MISSING_REQUIRED_PARAMETER'],
    [{ plan_id: 'P-BASIC', seats: 2 }, 400, 'UNKNOWN_PARAMETER'],
  ])('are not made from %j', async (body, status, issue) => {
    const answer = await b.call('POST', PATH, body);
    expect([answer.status, issueOf(answer)]).toEqual([status, issue]);
    expect(await b.webhooks()).toEqual([]);
  });
});

describe('provider B’s suspensions', () => {
  const suspended = async (id: string): Promise<Answered> =>
    b.call('POST', `${PATH}/${id}/suspend`, { reason: 'On holiday' });
  const activated = async (id: string, body: object = {}): Promise<Answered> =>
    b.call('POST', `${PATH}/${id}/activate`, body);

  it('charge nothing until they are taken up again, and then with the next payment that is due', async () => {
    const id = await subscribe();
    await events();
    expect((await suspended(id)).status).toBe(204);
    expect((await read(id)).status).toBe('SUSPENDED');
    expect(await events()).toEqual(['SUSPENDED']);
    await b.core.clock.advanceTo(Date.parse('2027-04-10T00:00:00Z'));
    expect(await events()).toEqual([]);

    expect((await activated(id, { reason: 'Back again' })).status).toBe(204);
    expect(await read(id)).toMatchObject({
      status: 'ACTIVE',
      billing_info: { next_billing_time: '2027-04-30T10:00:00Z' },
    });
    expect(await events()).toEqual(['ACTIVATED', 'RE-ACTIVATED']);
    await b.core.clock.advanceTo(Date.parse('2027-05-01T00:00:00Z'));
    expect(await events()).toEqual(['PAYMENT.SALE.COMPLETED', 'UPDATED']);
  });

  it('need the state that they begin from, and a reason', async () => {
    const id = await subscribe();
    const early = await activated(id);
    expect([early.status, issueOf(early)]).toEqual([422, 'SUBSCRIPTION_STATUS_INVALID']);
    const unreasoned = await b.call('POST', `${PATH}/${id}/suspend`, {});
    expect(unreasoned.status).toBe(400);
    await suspended(id);
    const again = await suspended(id);
    expect([again.status, issueOf(again)]).toEqual([422, 'SUBSCRIPTION_STATUS_INVALID']);
    expect((await b.call('POST', `${PATH}/${id}/cancel`, { reason: 'Over' })).status).toBe(204);
    const over = await activated(id);
    expect([over.status, issueOf(over)]).toEqual([422, 'SUBSCRIPTION_STATUS_INVALID']);
    expect((await suspended('I-NOBODY')).status).toBe(404);
  });
});
