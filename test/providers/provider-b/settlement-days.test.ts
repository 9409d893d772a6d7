import { settlementsByDay, type ReportLine } from '../../../src/providers/provider-b/settlement-days';
import { DAY_MS } from '../../../src/domain/instant';

const NOON = Date.parse('2027-01-15T12:00:00Z');
const DAY = Date.parse('2027-01-15T00:00:00Z');

function line(changes: Partial<ReportLine>): ReportLine {
  return {
    id: 'TXN1',
    at: NOON,
    eventCode: 'T0006',
    status: 'S',
    amount: 1000n,
    fee: -84n,
    currency: 'USD',
    ...changes,
  };
}

describe('a settlement of provider B', () => {
  it('is what one day brought in one currency, less fees', () => {
    const lines = [
      line({ at: DAY }),
      line({ id: 'SALE1', at: DAY + DAY_MS - 1000, eventCode: 'T0002', amount: 2000n, fee: -119n }),
      line({ currency: 'EUR', amount: 500n, fee: 0n }),
      line({ at: DAY + DAY_MS }),
    ];
    expect(settlementsByDay(lines, null)).toMatchObject([
      {
        reference: 'report-2027-01-15-EUR',
        amount: 500n,
        currency: 'EUR',
        fees: 0n,
        periodStart: DAY,
        periodEnd: DAY + DAY_MS,
      },
      {
        reference: 'report-2027-01-15-USD',
        amount: 2797n,
        currency: 'USD',
        fees: 203n,
        periodStart: DAY,
        periodEnd: DAY + DAY_MS,
      },
      {
        reference: 'report-2027-01-16-USD',
        amount: 916n,
        currency: 'USD',
        fees: 84n,
        periodStart: DAY + DAY_MS,
        periodEnd: DAY + 2 * DAY_MS,
      },
    ]);
  });

  it('names each line as webhooks do, and fees of their own among the fees', () => {
    const lines = [
      line({ id: 'CAP1' }),
      line({ id: 'SALE1', eventCode: 'T0002' }),
      line({ id: 'REF1', eventCode: 'T1107', amount: -500n, fee: 20n }),
      line({ id: 'ADJ1', eventCode: 'T1201', amount: -100n, fee: 0n }),
      line({ id: 'FEE1', eventCode: 'T0106', amount: -2000n, fee: 0n }),
    ];
    const [settlement] = settlementsByDay(lines, null);
    expect(settlement?.lines).toEqual([
      { kind: 'capture', reference: 'CAP1', amount: 1000n, fee: 84n },
      { kind: 'payment', reference: 'SALE1', amount: 1000n, fee: 84n },
      { kind: 'refund', reference: 'REF1', amount: -500n, fee: -20n },
      { kind: 'other', reference: 'ADJ1', amount: -100n, fee: 0n },
    ]);
    const sum = (settlement?.lines ?? []).reduce((total, { amount }) => total + amount, 0n);
    expect(settlement?.amount).toBe(sum - (settlement?.fees ?? 0n));
  });

  it('counts a payment that was given back, and what was given back, once each', () => {
    const lines = [line({ status: 'V' }), line({ eventCode: 'T1107', amount: -1000n, fee: 30n })];
    expect(settlementsByDay(lines, null)).toMatchObject([{ amount: -54n, fees: 54n }]);
  });

  it('counts a fee of its own as a fee', () => {
    const lines = [line({}), line({ eventCode: 'T0106', amount: -2000n, fee: 0n })];
    expect(settlementsByDay(lines, null)).toMatchObject([{ amount: -1084n, fees: 2084n }]);
  });

  it.each([
    ['what is pending', { status: 'P' }],
    ['what was denied', { status: 'D' }],
    ['a conversion', { eventCode: 'T0200' }],
    ['a bank’s transfer', { eventCode: 'T0400', amount: -5000n }],
    ['a hold', { eventCode: 'T2101', amount: -5000n }],
    ['a hold that is released', { eventCode: 'T1105', amount: 5000n }],
    ['a bank’s transfer that came back', { eventCode: 'T1101', amount: 5000n }],
    ['what the merchant paid out and got back', { eventCode: 'T1115', amount: 700n }],
    ['what the merchant paid', { eventCode: 'T0006', amount: -700n }],
  ])('leaves out %s', (_, changes) => {
    expect(settlementsByDay([line(changes)], null)).toEqual([]);
  });
});
