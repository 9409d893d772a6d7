import { providerC } from '../../../src/providers/provider-c/adapter';
import { DAY_MS } from '../../../src/domain/instant';
import { START, startProviderC, type Harness } from '../../simulators/provider-c-harness';
import { withStub } from './stub-provider';

let c: Harness;
beforeEach(async () => {
  c = await startProviderC();
});
afterEach(() => c.stop());

const MIDNIGHT = Date.parse('2027-01-31T00:00:00Z');
const listed = (from: number, to: number) => providerC.listSettlements(c.access, { from, to });

describe('the settlements of provider C', () => {
  it('are what arrived and the fees, with a line for each payment and each refund that was borne', async () => {
    const one = await c.checkout({ amount: 10_000 }, 'pay');
    const two = await c.checkout({ amount: 20_000 }, 'pay');
    await c.call('POST', '/refund', { transaction: one.reference, amount: 1_000 });
    await c.core.clock.advanceTo(MIDNIGHT + 1000);
    expect(await listed(MIDNIGHT, MIDNIGHT + DAY_MS)).toEqual({
      kind: 'done',
      value: [
        {
          reference: expect.stringMatching(/^\d+$/) as unknown,
          amount: 28_550n,
          currency: 'NGN',
          fees: 450n,
          periodStart: START,
          periodEnd: MIDNIGHT,
          status: 'paid',
          lines: expect.arrayContaining([
            { kind: 'payment', reference: one.reference, amount: 10_000n, fee: 150n },
            { kind: 'payment', reference: two.reference, amount: 20_000n, fee: 300n },
            {
              kind: 'refund',
              reference: expect.stringMatching(/^\d+$/) as unknown,
              amount: -1_000n,
              fee: 0n,
            },
          ]) as unknown,
        },
      ],
    });
  });

  it('are in whole units for a currency without decimals, even if the fees have fractions', async () => {
    for (const amount of [70_000, 30_000, 90_000]) await c.checkout({ amount, currency: 'XOF' }, 'pay');
    await c.core.clock.advanceTo(MIDNIGHT + 1000);
    // The fees are 10.50, 4.50 and 13.50; 1,871.50 arrived.
    expect(await listed(MIDNIGHT, MIDNIGHT + DAY_MS)).toMatchObject({
      kind: 'done',
      value: [
        {
          amount: 1_872n,
          fees: 28n,
          currency: 'XOF',
          lines: [
            { kind: 'payment', amount: 900n, fee: 14n },
            { kind: 'payment', amount: 300n, fee: 4n },
            { kind: 'payment', amount: 700n, fee: 10n },
          ],
        },
      ],
    });
  });

  it('are those whose payout lies in the range, its end not included, the earliest first', async () => {
    for (const day of [0, 1, 2]) {
      await c.core.clock.advanceTo(START + day * DAY_MS);
      await c.checkout({ amount: 1_000 * (day + 1) }, 'pay');
    }
    await c.core.clock.advanceTo(START + 5 * DAY_MS);
    const days = async (from: number, to: number) => {
      const outcome = await listed(from, to);
      return outcome.kind === 'done'
        ? outcome.value.map(({ periodEnd }) => ((periodEnd ?? 0) - MIDNIGHT) / DAY_MS)
        : outcome;
    };
    expect(await days(0, START + 9 * DAY_MS)).toEqual([0, 1, 2]);
    expect(await days(MIDNIGHT + 1, MIDNIGHT + 2 * DAY_MS)).toEqual([1]);
    expect(await days(MIDNIGHT, MIDNIGHT + 1)).toEqual([0]);
    expect(await days(MIDNIGHT + 3 * DAY_MS, MIDNIGHT + 4 * DAY_MS)).toEqual([]);
  });

  it('are not known while the provider does not answer for each of them', async () => {
    await c.checkout({ amount: 10_000 }, 'pay');
    await c.core.clock.advanceTo(MIDNIGHT + 1000);
    c.core.faults.set({ provider: 'c', path: '/settlement/', fault: 'answer_500', times: 1 });
    expect((await listed(0, MIDNIGHT + DAY_MS)).kind).toBe('unknown');
    const stranger = { ...c.access, secrets: { secretKey: 'sk_test_stranger' } };
    expect(await providerC.listSettlements(stranger, { from: 0, to: 1 })).toMatchObject({
      kind: 'declined',
      code: 'authentication_failed',
    });
  });
});

describe('a list of settlements that says', () => {
  const settlement = (id: number, more: object = {}) => ({
    id,
    domain: 'test',
    status: 'success',
    currency: 'NGN',
    total_amount: 990,
    effective_amount: 990,
    total_fees: 10,
    settlement_date: '2027-01-31T00:00:00.000Z',
    ...more,
  });
  const transaction = (more: object = {}) => ({
    id: 1,
    reference: 'ref',
    amount: 1_000,
    currency: 'NGN',
    fees: 10,
    paidAt: null,
    ...more,
  });
  async function read(pages: object[][], transactions: object[] = [transaction()]) {
    let outcome: unknown;
    let first = '';
    await withStub(
      c.access,
      ({ path }) => {
        const query = new URLSearchParams(path.split('?')[1]);
        if (path.includes('/transactions')) return { body: { status: true, data: transactions } };
        const page = Number(query.get('page'));
        return { body: { status: true, data: pages[page - 1], meta: { pageCount: pages.length } } };
      },
      async (access, requests) => {
        const range = { from: MIDNIGHT, to: MIDNIGHT + DAY_MS };
        const answer = await providerC.listSettlements(access, range);
        outcome = answer.kind === 'done' ? answer.value : answer.kind;
        first = requests[0]?.path ?? '';
      },
    );
    return { outcome, first };
  }

  it('each once, over all of its pages', async () => {
    const { outcome, first } = await read([
      [settlement(3), settlement(2)],
      [settlement(2), settlement(1)],
    ]);
    expect(outcome).toMatchObject([{ reference: '1' }, { reference: '2' }, { reference: '3' }]);
    expect(Object.fromEntries(new URLSearchParams(first.split('?')[1]))).toEqual({
      status: 'success',
      subaccount: 'none',
      // A week on either side, because the filter may apply to a different date of the settlement.
      from: '2027-01-24T00:00:00.000Z',
      to: '2027-02-08T00:00:00.000Z',
      perPage: '100',
      page: '1',
    });
  });

  it('a settlement of more transactions than any other list has', async () => {
    const pages = 60;
    await withStub(
      c.access,
      ({ path }) => {
        if (!path.includes('/transactions')) return { body: { status: true, data: [settlement(1)] } };
        const page = Number(new URLSearchParams(path.split('?')[1]).get('page'));
        const data = [transaction({ id: page, reference: `ref_${page}` })];
        return { body: { status: true, data, meta: { pageCount: pages } } };
      },
      async (access) => {
        const answer = await providerC.listSettlements(access, { from: MIDNIGHT, to: MIDNIGHT + DAY_MS });
        const payments = answer.kind === 'done' ? answer.value[0]?.lines : answer;
        expect(payments).toHaveLength(pages + 1);
      },
    );
  });

  it('a settlement that bore a refund, among more refunds than any other list has', async () => {
    const pages = 60;
    await withStub(
      c.access,
      ({ path }) => {
        if (path.includes('/transactions')) return { body: { status: true, data: [transaction()] } };
        if (!path.startsWith('/refund')) {
          const bearing = settlement(1, { effective_amount: 490, deductions: 500 });
          return { body: { status: true, data: [bearing] } };
        }
        const page = Number(new URLSearchParams(path.split('?')[1]).get('page'));
        const borne = page === pages ? { settlement: 1 } : {};
        const refund = {
          id: page,
          transaction: 1,
          amount: 500,
          currency: 'NGN',
          status: 'processed',
          ...borne,
        };
        return { body: { status: true, data: [refund], meta: { pageCount: pages } } };
      },
      async (access) => {
        const range = { from: MIDNIGHT, to: MIDNIGHT + DAY_MS };
        expect(await providerC.listSettlements(access, range)).toMatchObject({
          kind: 'done',
          value: [{ amount: 490n, lines: [{}, { kind: 'refund', reference: String(pages), amount: -500n }] }],
        });
      },
    );
  });

  it('nothing of those that are not paid out', async () => {
    const open = ['pending', 'processing', 'failed'].map((status, place) =>
      settlement(place + 1, { status, settlement_date: null }),
    );
    expect((await read([open])).outcome).toEqual([]);
  });

  it('amounts as text, no effective amount, no fees', async () => {
    const old = settlement(1, { total_amount: '1000', effective_amount: null, total_fees: null });
    expect((await read([[old]], [transaction({ fees: null })])).outcome).toMatchObject([
      { amount: 1_000n, fees: 0n, periodStart: MIDNIGHT, lines: [{ amount: 1_000n, fee: 0n }] },
    ]);
  });

  it('a payment in another currency, whose converted amount is not stated, as what is left of the settlement', async () => {
    const paid = settlement(1, { total_amount: 3_000, effective_amount: 2_900, total_fees: 100 });
    const lines = [
      transaction({ amount: 1_000, fees: 40 }),
      transaction({ id: 2, reference: 'other', currency: 'GHS' }),
    ];
    expect((await read([[paid]], lines)).outcome).toMatchObject([
      {
        amount: 2_900n,
        fees: 100n,
        lines: [
          { kind: 'payment', amount: 1_000n, fee: 40n },
          { kind: 'other', reference: 'other-currencies', amount: 1_940n, fee: 0n },
        ],
      },
    ]);
  });

  it.each([
    ['no instant', settlement(1, { settlement_date: null }), transaction()],
    ['no currency', settlement(1, { currency: 'XXQ' }), transaction({ currency: 'XXQ' })],
    ['a wrong type', settlement(1, { total_amount: 1.5 }), transaction()],
    ['a payment without a reference', settlement(1), transaction({ reference: '' })],
  ])('what is not known: %s', async (_what, data, line) => {
    expect((await read([[data]], [line])).outcome).toBe('unknown');
  });
});
