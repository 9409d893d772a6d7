import fc from 'fast-check';
import { judgeDispute, type DisputeState } from '../../src/domain/dispute';
import { matchSettlement, type KnownLine, type NamedLine } from '../../src/domain/provider-settlement';

const named = (reference: string, amount: bigint, fee = 0n): NamedLine => ({
  kind: 'charge',
  reference,
  amount,
  fee,
});
const payment = (id: string, amount: bigint, members: Partial<KnownLine> = {}): KnownLine => ({
  kind: 'payment',
  id,
  amount,
  currency: 'USD',
  settledBy: null,
  returnedBy: null,
  ...members,
});
const totals = { currency: 'USD', net: 0n, fees: 0n };

test('whatever lines a provider names, the totals are the provider’s, and nothing is counted that is not the same here', () => {
  const line = fc.record({
    amount: fc.bigInt({ min: -1000n, max: 1000n }),
    fee: fc.bigInt({ min: 0n, max: 50n }),
    here: fc.option(
      fc.record({
        id: fc.constantFrom('pay_1', 'pay_2', 'ref_1'),
        same: fc.boolean(),
        settled: fc.boolean(),
        currency: fc.constantFrom('USD', 'EUR'),
      }),
    ),
  });
  const net = fc.bigInt({ min: -5000n, max: 5000n });
  const fees = fc.bigInt({ min: -50n, max: 500n });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), net, fees, (drawn, paidOut, kept) => {
      const known = new Map<string, KnownLine>();
      const lines = drawn.map(({ amount, fee, here }, index) => {
        const reference = `ch_${index}`;
        if (here !== null) {
          const kind = here.id.startsWith('ref_') ? 'refund' : 'payment';
          // Returned refund money has the sign of a payment.
          const signed = kind === 'refund' && amount < 0n ? -amount : amount;
          known.set(reference, {
            kind,
            id: here.id,
            amount: here.same ? signed : signed + 1n,
            currency: here.currency,
            settledBy: here.settled ? 'stl_other' : null,
            returnedBy: here.settled ? 'stl_other' : null,
          });
        }
        return { kind: 'charge', reference, amount, fee };
      });
      const matched = matchSettlement({ currency: 'USD', net: paidOut, fees: kept }, lines, ({ reference }) =>
        known.get(reference),
      );
      expect([matched.net, matched.fees]).toEqual([paidOut, kept]);
      expect(matched.net).toBe(matched.paid - matched.refunded - matched.fees + matched.unmatched);
      const tied = matched.lines.filter(({ targetId }) => targetId !== null);
      const ways = tied.map(({ targetId, amount }) => `${targetId} ${amount > 0n ? 'in' : 'out'}`);
      expect(new Set(ways).size).toBe(tied.length);
      expect(tied.reduce((sum, { amount }) => sum + amount, 0n)).toBe(matched.paid - matched.refunded);
      for (const { reference, amount } of tied) {
        const here = known.get(reference);
        expect(here).toMatchObject({ currency: 'USD', settledBy: null });
        expect(here?.kind === 'refund' && amount < 0n ? -here.amount : here?.amount).toBe(amount);
      }
      if (tied.length === lines.length && matched.unmatched === 0n) expect(matched.difference).toBeNull();
      else expect(matched.difference).not.toBeNull();
    }),
  );
});

test('a refund that went out and came back is counted both ways, each once, also in one settlement', () => {
  const refund = payment('ref_1', 700n, { kind: 'refund' });
  const lines = [named('re_1', -700n), named('re_1', 700n), named('re_1', 700n)];
  const both = matchSettlement({ ...totals, net: 0n }, lines.slice(0, 2), () => refund);
  expect(both).toMatchObject({ refunded: 0n, unmatched: 0n, difference: null });
  const thrice = matchSettlement({ ...totals, net: 700n }, lines, () => refund);
  expect(thrice).toMatchObject({ refunded: 0n, unmatched: 700n });
  expect(thrice.difference).toContain('is ref_1 once more');
  const later = matchSettlement({ ...totals, net: 700n }, lines.slice(1, 2), () => ({
    ...refund,
    settledBy: 'stl_1',
  }));
  expect(later).toMatchObject({ refunded: -700n, unmatched: 0n, difference: null });
});

test('of many lines that are not known, the first are named, and the rest counted', () => {
  const lines = Array.from({ length: 8 }, (_, index) => named(`ch_${index}`, 100n));
  const { difference } = matchSettlement({ ...totals, net: 800n }, lines, () => undefined);
  expect(difference).toMatch(/^Not counted: charge ch_0 of 1\.00 USD is not known here; .*; and 3 more\.$/);
});

test('the withdrawal for a dispute that is not lost is said to have no refund', () => {
  const { difference } = matchSettlement(
    { ...totals, net: -388n },
    [{ ...named('dp_1', -388n), kind: 'dispute' }],
    () => undefined,
  );
  expect(difference).toBe('Not counted: dispute dp_1 of -3.88 USD has no refund here.');
});

test('lines that add up and are not all known are still a difference', () => {
  const lines = [named('ch_1', 100n), named('ch_2', 50n), named('ch_3', -50n)];
  const known = (line: NamedLine) => (line.reference === 'ch_1' ? payment('pay_1', 100n) : undefined);
  const matched = matchSettlement({ ...totals, net: 100n }, lines, known);
  expect(matched).toMatchObject({ paid: 100n, unmatched: 0n });
  expect(matched.difference).toContain('ch_2');
});

test('a dispute ends the same in whatever order and however often its events come', () => {
  const word = fc.record({
    status: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
    at: fc.integer({ min: 0, max: 5 }),
  });
  const original = fc.array(word, { minLength: 1, maxLength: 6 });
  const shuffled = original.chain((words) =>
    fc.tuple(fc.constant(words), fc.shuffledSubarray([...words, ...words], { minLength: words.length * 2 })),
  );
  const end = (words: readonly { status: DisputeState['status']; at: number }[]) =>
    words.reduce<DisputeState | null>(
      (before, { status, at }) => judgeDispute(before, { status, at, amount: status === 'lost' ? 10n : 29n }),
      null,
    );
  fc.assert(
    fc.property(shuffled, ([words, others]) => {
      expect(end(others)).toEqual(end(words));
      const decisions = words.filter(({ status }) => status !== 'open');
      expect(end(words)?.status === 'open').toBe(decisions.length === 0);
      expect(end(words)?.amount).toBe(end(words)?.status === 'lost' ? 10n : 29n);
      expect(end(words)?.openedAt).toBe(Math.min(...words.map(({ at }) => at)));
    }),
  );
});
