import fc from 'fast-check';
import {
  applyDeductions,
  decideAccess,
  type AccessQuestion,
  type AccessSource,
  type CreditBalance,
  type Deduction,
} from '../../src/domain/access';
import { multiplyDecimal } from '../../src/domain/decimal';
import { creditBalances, quantities, question, sources, sum } from './access-cases';
import { cases } from './property';

const limited = fc
  .record({ quantity: quantities, sources: sources(true), credits: creditBalances })
  .map((drawn): AccessQuestion => question(drawn));
const anyQuestion = fc
  .record({ quantity: quantities, sources: sources(false), credits: creditBalances })
  .map((drawn): AccessQuestion => question(drawn));

function free({ quota, quotaUsed }: AccessSource): bigint {
  return quota === null || quota < quotaUsed ? 0n : quota - quotaUsed;
}

/** Sums deductions by source and grant, so that one call can be compared with two. */
function totals(deductions: readonly Deduction[]): Record<string, bigint> {
  const byTarget: Record<string, bigint> = {};
  for (const deduction of deductions) {
    const add = (target: string, amount: bigint): void => {
      byTarget[target] = (byTarget[target] ?? 0n) + amount;
    };
    add(`units ${deduction.from} ${deduction.subscriptionId}`, deduction.quantity);
    // A grant's share of the units is rounded; the credits it pays are not.
    if (deduction.from === 'credits') add(`credits ${deduction.grantId}`, deduction.credits);
  }
  return byTarget;
}

describe('properties of access decisions', () => {
  it('deductions add up to the quantity when granted and are absent when refused', () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const decision = decideAccess(question);
        expect(sum(decision.deductions)).toBe(decision.allowed ? question.quantity : 0n);
        expect(decision.deductions.every((part) => part.quantity > 0n)).toBe(true);
        expect(decision.allowed).toBe(decision.reason === null);
        expect(decision.overage.quantity).toBe(sum(decision.deductions, 'overage'));
        expect(decision.after.usage - decision.before.usage).toBe(sum(decision.deductions));
      }),
      cases(1500),
    );
  });

  it('takes from no quota and no grant more than is left', () => {
    fc.assert(
      fc.property(limited, (question) => {
        const { deductions } = decideAccess(question);
        const left = applyDeductions(question.sources, question.credits, deductions);
        left.sources.forEach((after, index) => {
          const before = question.sources[index];
          if (before === undefined || after.quotaUsed === before.quotaUsed) return;
          expect(after.quotaUsed <= (after.quota ?? 0n)).toBe(true);
        });
        expect(left.credits.every((balance) => balance.remaining >= 0n)).toBe(true);
      }),
      cases(1500),
    );
  });

  it('charges for units by credit exactly the cheapest cost', () => {
    fc.assert(
      fc.property(limited, (question) => {
        const costs = question.sources.flatMap(({ creditCost }) => (creditCost === null ? [] : [creditCost]));
        const cheapest = costs.reduce((a, b) => (a < b ? a : b), costs[0] ?? 0n);
        const { deductions } = decideAccess(question);
        const credits = deductions.reduce(
          (total, part) => total + (part.from === 'credits' ? part.credits : 0n),
          0n,
        );
        expect(credits).toBe(multiplyDecimal(sum(deductions, 'credits'), cheapest));
      }),
      cases(500),
    );
  });

  it('uses quota before credits and credits before overage', () => {
    fc.assert(
      fc.property(limited, (question) => {
        const decision = decideAccess(question);
        const fromQuota = sum(decision.deductions, 'quota');
        const quotaLeft = question.sources.reduce((total, source) => total + free(source), 0n);
        if (fromQuota < sum(decision.deductions)) expect(fromQuota).toBe(quotaLeft);
        if (decision.overage.quantity === 0n) return;
        const left = applyDeductions(question.sources, question.credits, decision.deductions);
        const hard = left.sources.map((source) => ({ ...source, enforcement: 'hard' as const }));
        expect(
          decideAccess({ ...question, quantity: 10n ** 6n, sources: hard, credits: left.credits }).allowed,
        ).toBe(false);
      }),
      cases(1500),
    );
  });

  it('never goes beyond quota and credits when every source is hard', () => {
    fc.assert(
      fc.property(limited, fc.array(quantities, { maxLength: 12 }), (question, calls) => {
        const start = question.sources.map((source) => ({ ...source, enforcement: 'hard' as const }));
        let left: { sources: AccessSource[]; credits: CreditBalance[] } = {
          sources: start,
          credits: [...question.credits],
        };
        for (const quantity of calls) {
          const decision = decideAccess({ ...question, ...left, quantity });
          left = applyDeductions(left.sources, left.credits, decision.deductions);
        }
        const taken = left.sources.reduce((total, source) => total + source.quotaUsed, 0n);
        const before = start.reduce((total, source) => total + source.quotaUsed, 0n);
        expect(taken - before <= start.reduce((total, source) => total + free(source), 0n)).toBe(true);
        expect(left.credits.every((balance) => balance.remaining >= 0n)).toBe(true);
      }),
      cases(500),
    );
  });

  it('decides two calls like one of their sum', () => {
    fc.assert(
      fc.property(anyQuestion, quantities, (question, more) => {
        const whole = decideAccess({ ...question, quantity: question.quantity + more });
        fc.pre(whole.allowed);
        const first = decideAccess(question);
        const left = applyDeductions(question.sources, question.credits, first.deductions);
        const second = decideAccess({ ...question, ...left, quantity: more });
        expect([first.allowed, second.allowed]).toEqual([true, true]);
        expect(second.before).toEqual(first.after);
        expect(second.after).toEqual(whole.after);
        expect(totals([...first.deductions, ...second.deductions])).toEqual(totals(whole.deductions));
      }),
      cases(1500),
    );
  });

  it('never refuses an unlimited or a soft one', () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        fc.pre(question.sources.some((source) => source.quota === null || source.enforcement === 'soft'));
        expect(decideAccess(question).allowed).toBe(true);
      }),
      cases(1000),
    );
  });

  it('does not depend on the order in which sources and grants are given', () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const turned = {
          ...question,
          sources: question.sources.toReversed(),
          credits: question.credits.toReversed(),
        };
        expect(decideAccess(turned)).toEqual(decideAccess(question));
      }),
      cases(500),
    );
  });
});
