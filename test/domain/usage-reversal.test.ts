import fc from 'fast-check';
import { applyDeductions, decideAccess, type Deduction } from '../../src/domain/access';
import { reversalOf, unitsTaken } from '../../src/domain/usage-reversal';
import { creditBalances, d, quantities, question, sources, periodStart } from './access-cases';
import { cases } from './property';

const taken: Deduction[] = [
  { from: 'quota', quantity: d('4'), subscriptionId: 'sub_1', periodStart },
  {
    from: 'credits',
    quantity: d('2'),
    credits: d('1'),
    grantId: 'grant_1',
    subscriptionId: 'sub_1',
    periodStart,
  },
  {
    from: 'credits',
    quantity: d('4'),
    credits: d('2'),
    grantId: 'grant_2',
    subscriptionId: 'sub_1',
    periodStart,
  },
  { from: 'overage', quantity: d('3'), subscriptionId: 'sub_1', periodStart },
];

describe('what is given back of a use', () => {
  test('all of it: what it took', () => {
    expect(reversalOf(taken, d('13'))).toEqual(taken);
  });

  test('a part: what was taken last comes first', () => {
    expect(reversalOf(taken, d('2'))).toEqual([
      { from: 'overage', quantity: d('2'), subscriptionId: 'sub_1', periodStart },
    ]);
    expect(reversalOf(taken, d('8'))).toEqual([
      {
        from: 'credits',
        quantity: d('1'),
        credits: d('0.5'),
        grantId: 'grant_1',
        subscriptionId: 'sub_1',
        periodStart,
      },
      taken[2],
      taken[3],
    ]);
    expect(reversalOf(taken, d('10'))).toEqual([
      { from: 'quota', quantity: d('1'), subscriptionId: 'sub_1', periodStart },
      ...taken.slice(1),
    ]);
  });

  test('a grant that paid for no whole unit of its own is given back what it paid', () => {
    const shared: Deduction[] = [
      {
        from: 'credits',
        quantity: 0n,
        credits: d('0.4'),
        grantId: 'grant_1',
        subscriptionId: 'sub_1',
        periodStart,
      },
      {
        from: 'credits',
        quantity: d('1'),
        credits: d('0.6'),
        grantId: 'grant_2',
        subscriptionId: 'sub_1',
        periodStart,
      },
    ];
    expect(reversalOf(shared, d('1'))).toEqual(shared);
    expect(reversalOf(shared, d('0.5'))).toEqual([
      {
        from: 'credits',
        quantity: d('0.5'),
        credits: d('0.5'),
        grantId: 'grant_2',
        subscriptionId: 'sub_1',
        periodStart,
      },
    ]);
  });

  test.each(['0', '-1', '13.000001'])('is not %s', (quantity) => {
    expect(() => reversalOf(taken, d(quantity))).toThrow(RangeError);
  });

  test('it adds up to the quantity, and no source gets more than it gave; the rest is a use of its own', () => {
    fc.assert(
      fc.property(
        fc.record({ quantity: quantities, sources: sources(false), credits: creditBalances }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (drawn, share) => {
          const use = question(drawn);
          const decision = decideAccess(use);
          fc.pre(decision.deductions.length > 0);
          const part = (use.quantity * BigInt(Math.round(share * 1e6))) / 10n ** 6n;
          const quantity = part === 0n ? use.quantity : part;
          const returned = reversalOf(decision.deductions, quantity);
          expect(unitsTaken(returned)).toBe(quantity);
          for (const back of returned) {
            const source = decision.deductions.find(
              (one) =>
                one.from === back.from &&
                one.subscriptionId === back.subscriptionId &&
                (one.from !== 'credits' || (back.from === 'credits' && one.grantId === back.grantId)),
            );
            expect(source !== undefined && back.quantity <= source.quantity).toBe(true);
            if (source?.from === 'credits' && back.from === 'credits')
              expect(back.credits <= source.credits).toBe(true);
          }
          // After all units were taken and returned, every balance is unchanged.
          if (quantity !== use.quantity) return;
          const left = applyDeductions(use.sources, use.credits, decision.deductions);
          const inverse = returned.map((one) => ({
            ...one,
            quantity: -one.quantity,
            ...(one.from === 'credits' ? { credits: -one.credits } : {}),
          })) as Deduction[];
          const restored = applyDeductions(left.sources, left.credits, inverse);
          expect(restored.sources).toEqual([...use.sources]);
          expect(restored.credits).toEqual([...use.credits]);
        },
      ),
      cases(800),
    );
  });
});
