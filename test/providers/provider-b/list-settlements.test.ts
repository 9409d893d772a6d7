import { createProviderB } from '../../../src/providers/provider-b/adapter';
import { DAY_MS } from '../../../src/domain/instant';
import { paymentCheckout, referenceOf, subscriptionCheckout, valueOf } from './operation-requests';
import { accessTo, startSimulatedProviderB, type SimulatedProviderB } from './simulated-provider-b';
import { startStubProviderB, type StubProviderB } from './stub-provider-b';

const adapter = createProviderB({ now: Date.now });
const at = (text: string): number => Date.parse(text);

describe('the settlements of provider B', () => {
  let b: SimulatedProviderB;
  beforeEach(async () => {
    b = await startSimulatedProviderB({ start: '2027-01-15T08:00:00Z' });
  });
  afterEach(() => b.stop());

  it('are what its payments and refunds of a day came to', async () => {
    const access = accessTo(b.url);
    const list = async (from: string, to: string) =>
      valueOf(await adapter.listSettlements(access, { from: at(from), to: at(to) }));

    const offer = { kind: 'payment' as const, amount: 2000n, currency: 'EUR', description: 'x' };
    const order = valueOf(await adapter.createCheckout(access, paymentCheckout({ offer, key: 'op_1' })));
    await b.choose(order.url, 'approve');
    const sending = { key: 'op_2', repeated: false };
    const paid = valueOf(await adapter.captureCheckout(access, order.references[0], sending));
    const subscription = valueOf(await adapter.createCheckout(access, subscriptionCheckout({ key: 'op_3' })));
    await b.choose(subscription.url, 'approve');

    // The day has ended, but the report is not complete yet.
    await b.core.clock.advanceTo(at('2027-01-16T02:00:00Z'));
    expect(await list('2027-01-14T00:00:00Z', '2027-01-17T00:00:00Z')).toEqual([]);
    await b.core.clock.advanceTo(at('2027-01-16T04:00:00Z'));
    const first = await list('2027-01-14T00:00:00Z', '2027-01-17T00:00:00Z');
    expect(first).toMatchObject([
      { reference: 'report-2027-01-15-EUR', amount: 1882n, fees: 118n, currency: 'EUR' },
      { reference: 'report-2027-01-15-USD', amount: 1882n, fees: 118n, currency: 'USD' },
    ]);

    await adapter.refundPayment(access, {
      ...sending,
      key: 'op_4',
      payment: referenceOf(paid.references, 'capture'),
      amount: 2000n,
      currency: 'EUR',
      refundId: 'rfd_1',
    });
    // Renewals on 15 February, March and April fall into other windows of the report.
    await b.core.clock.advanceTo(at('2027-04-20T00:00:00Z'));
    const all = await list('2027-01-10T00:00:00Z', '2027-04-20T00:00:00Z');
    expect(all.map(({ reference, amount }) => [reference, amount])).toEqual([
      ['report-2027-01-15-EUR', 1882n],
      ['report-2027-01-15-USD', 1882n],
      ['report-2027-01-16-EUR', -2000n],
      ['report-2027-02-15-USD', 1882n],
      ['report-2027-03-15-USD', 1882n],
      ['report-2027-04-15-USD', 1882n],
    ]);
    expect(all.slice(0, 2)).toEqual(first);

    // A day belongs to the range in which it ends; consecutive ranges share no day.
    const parts = [
      ...(await list('2027-01-10T00:00:00Z', '2027-01-16T00:00:00Z')),
      ...(await list('2027-01-16T00:00:00Z', '2027-02-15T12:00:00Z')),
      ...(await list('2027-02-15T12:00:00Z', '2027-04-20T00:00:00Z')),
    ];
    expect(parts).toEqual(all);
    expect(await list('2027-01-16T00:00:01Z', '2027-01-16T23:00:00Z')).toEqual([]);
  });
});

describe('the report of provider B', () => {
  let stub: StubProviderB;
  beforeEach(async () => {
    stub = await startStubProviderB();
  });
  afterEach(() => stub.stop());

  const list = (from = '2027-01-15T00:00:00Z', to = '2027-01-18T00:00:00Z') =>
    adapter.listSettlements(accessTo(stub.url, { connectionId: stub.url }), { from: at(from), to: at(to) });
  const transaction = (changes: object = {}): object => ({
    transaction_info: {
      transaction_id: '8MC585209K746392H',
      transaction_event_code: 'T0006',
      transaction_status: 'S',
      transaction_initiation_date: '2027-01-15T09:00:00+0000',
      transaction_amount: { value: '10.00', currency_code: 'USD' },
      fee_amount: { value: '-0.84', currency_code: 'USD' },
      ...changes,
    },
  });
  const report = (details: object[], changes: object = {}) => ({
    status: 200,
    body: {
      transaction_details: details,
      last_refreshed_datetime: '2027-02-01T00:00:00+0000',
      total_pages: 1,
      ...changes,
    },
  });
  const queries = (): URLSearchParams[] =>
    stub.requests.map(({ path }) => new URL(path, stub.url).searchParams);

  it('is read in windows of 31 days, and a line at their border counts once', async () => {
    const border = '2027-02-01T00:00:00+0000';
    stub.reply = () =>
      report([transaction({ transaction_initiation_date: border })], {
        last_refreshed_datetime: '2027-12-01T00:00:00+0000',
      });
    const settlements = valueOf(await list('2027-01-02T00:00:00Z', '2027-03-02T00:00:00Z'));
    expect(settlements).toMatchObject([{ reference: 'report-2027-02-01-USD', amount: 916n }]);
    expect(queries().map((query) => [query.get('start_date'), query.get('end_date')])).toEqual([
      ['2027-01-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'],
      ['2027-02-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z'],
    ]);
  });

  it('is read page by page', async () => {
    stub.reply = () => report([transaction()], { total_pages: 3 });
    expect(valueOf(await list())).toMatchObject([{ amount: 2748n, fees: 252n }]);
    expect(queries().map((query) => query.get('page'))).toEqual(['1', '2', '3']);
  });

  it('is read for what the account got, whatever else it lists', async () => {
    const coin = { value: '0.00012345', currency_code: 'BTC' };
    stub.reply = () =>
      report([
        transaction(),
        transaction({
          transaction_event_code: 'T1503',
          transaction_amount: undefined,
          fee_amount: undefined,
        }),
        transaction({
          transaction_event_code: 'T0200',
          fee_amount: { value: '-1.00', currency_code: 'EUR' },
        }),
        transaction({ transaction_amount: coin, fee_amount: coin }),
      ]);
    expect(valueOf(await list())).toMatchObject([{ reference: 'report-2027-01-15-USD', amount: 916n }]);
  });

  it('is not known where an amount is missing that the account got', async () => {
    stub.reply = () => report([transaction(), transaction({ transaction_amount: undefined })]);
    expect(await list()).toMatchObject({ kind: 'unknown' });
  });

  it('is read in halves when it has too many lines', async () => {
    stub.reply = ({ path }) => {
      const query = new URL(path, stub.url).searchParams;
      const length = at(query.get('end_date') ?? '') - at(query.get('start_date') ?? '');
      return length > DAY_MS
        ? { status: 400, body: { name: 'RESULTSET_TOO_LARGE', message: 'Too many.' } }
        : report([transaction()]);
    };
    expect(valueOf(await list())).toMatchObject([{ reference: 'report-2027-01-15-USD', amount: 916n }]);
  });

  it('is refused when it has too many lines however short it is', async () => {
    stub.reply = () => ({ status: 400, body: { name: 'RESULTSET_TOO_LARGE', message: 'Too many.' } });
    expect(await list()).toMatchObject({ kind: 'declined', code: 'RESULTSET_TOO_LARGE' });
  });

  it('is not asked for when no day ends in the range', async () => {
    expect(await list('2027-01-15T01:00:00Z', '2027-01-15T23:00:00Z')).toEqual({ kind: 'done', value: [] });
    expect(stub.requests).toEqual([]);
  });

  it.each([
    [{ transaction_amount: { value: 10, currency_code: 1 } }],
    [{ transaction_amount: { value: '10.001', currency_code: 'USD' } }],
    [{ fee_amount: { value: '-0.84', currency_code: 'EUR' } }],
    [{ transaction_initiation_date: 'yesterday' }],
    [{ transaction_event_code: null }],
  ])('is not understood when a line has %j', async (changes) => {
    stub.reply = () => report([transaction(changes)]);
    expect((await list()).kind).toBe('unknown');
  });

  it('is not understood when it does not say how far it goes', async () => {
    stub.reply = () => report([transaction()], { last_refreshed_datetime: null });
    expect((await list()).kind).toBe('unknown');
  });

  it.each([
    [403, { kind: 'declined', code: 'not_permitted' }],
    [401, { kind: 'declined', code: 'authentication_failed' }],
    [429, { kind: 'unknown' }],
    [500, { kind: 'unknown' }],
  ])('is answered with %i', async (status, outcome) => {
    stub.reply = () => ({ status, body: { name: 'NOT_AUTHORIZED', message: 'm' } });
    expect(await list()).toMatchObject(outcome);
  });
});
