import fc from 'fast-check';
import { applyDeductions, applyHold, decideAccess } from '../../src/domain/access';
import { decideReserved, firstUnits } from '../../src/domain/reservation';
import { unitsTaken } from '../../src/domain/usage-reversal';
import { creditBalances, d, grant, quantities, question, source, sources, sum } from './access-cases';
import { cases } from './property';

const asking = question({
  quantity: d('12'),
  sources: [source({ quota: d('10'), creditCost: d('0.5') })],
  credits: [grant('g', '5')],
});

describe('a use for which units are held', () => {
  const { deductions } = decideAccess(asking);
  const held = { ...asking, ...applyHold(asking.sources, asking.credits, deductions, 1n) };

  test('what is held is neither remaining nor spendable, and shows as reserved', () => {
    const other = decideAccess({ ...held, quantity: d('1') });
    expect(other.before).toMatchObject({ remaining: 0n, reserved: d('12'), creditBalance: d('4') });
    expect(other.deductions).toMatchObject([{ from: 'credits', quantity: d('1') }]);
    expect(decideAccess({ ...held, quantity: d('8.000001') }).allowed).toBe(false);
  });

  test('gets what is held, though nothing else is left', () => {
    const none = { ...held, credits: held.credits.map((one) => ({ ...one, remaining: one.reserved })) };
    const decision = decideReserved(none, deductions);
    expect(decision).toMatchObject({ allowed: true, deductions });
    expect(decision.before).toMatchObject({ reserved: d('12'), usage: 0n });
    expect(decision.after).toMatchObject({ reserved: 0n, usage: d('12'), creditBalance: 0n });
  });

  test('gets less, and the rest is free again', () => {
    const decision = decideReserved({ ...held, quantity: d('4') }, deductions);
    expect(decision.deductions).toMatchObject([{ from: 'quota', quantity: d('4') }]);
    expect(decision.after).toMatchObject({ reserved: 0n, remaining: d('6'), creditBalance: d('5') });
  });

  test('gets more where there is more, and nothing at all where there is not', () => {
    const more = decideReserved({ ...held, quantity: d('20') }, deductions);
    expect(more.deductions).toMatchObject([
      { from: 'quota', quantity: d('10') },
      { from: 'credits', quantity: d('10'), credits: d('5') },
    ]);
    const tooMuch = decideReserved({ ...held, quantity: d('20.000001') }, deductions);
    expect(tooMuch).toMatchObject({ allowed: false, deductions: [], reason: { code: 'quota_exceeded' } });
  });

  test('gets what is held when its subscription has ended', () => {
    const ended = decideReserved({ ...asking, sources: [], accessStatus: 'none' }, deductions);
    expect(ended).toMatchObject({ allowed: true, reason: null, deductions, subscriptionId: null });
    const more = { ...asking, quantity: d('13'), sources: [], accessStatus: 'none' } as const;
    expect(decideReserved(more, deductions)).toMatchObject({ allowed: false, deductions: [] });
  });

  const any = fc.record({ quantity: quantities, sources: sources(false), credits: creditBalances });

  test('held and used at once, it takes what a use takes', () => {
    fc.assert(
      fc.property(any, (drawn) => {
        const use = question(drawn);
        const direct = decideAccess(use);
        fc.pre(direct.allowed);
        const reserved = { ...use, ...applyHold(use.sources, use.credits, direct.deductions, 1n) };
        const decision = decideReserved(reserved, direct.deductions);
        expect(decision.allowed).toBe(true);
        expect(decision.after).toEqual(direct.after);
        expect(sum(decision.deductions)).toBe(use.quantity);
        const left = applyDeductions(use.sources, use.credits, direct.deductions);
        const free = applyHold(reserved.sources, reserved.credits, direct.deductions, -1n);
        expect(applyDeductions(free.sources, free.credits, decision.deductions)).toEqual(left);
      }),
      cases(1000),
    );
  });

  test('of another quantity it is granted whenever it is not above what is held, and exact', () => {
    fc.assert(
      fc.property(any, quantities, (drawn, quantity) => {
        const use = question(drawn);
        const direct = decideAccess(use);
        fc.pre(direct.allowed && direct.deductions.length > 0);
        const reserved = { ...use, quantity, ...applyHold(use.sources, use.credits, direct.deductions, 1n) };
        const decision = decideReserved(reserved, direct.deductions);
        if (quantity <= use.quantity) expect(decision.allowed).toBe(true);
        expect(sum(decision.deductions)).toBe(decision.allowed ? quantity : 0n);
        expect(unitsTaken(firstUnits(direct.deductions, quantity))).toBe(
          quantity < use.quantity ? quantity : use.quantity,
        );
        const free = applyHold(reserved.sources, reserved.credits, direct.deductions, -1n);
        const left = applyDeductions(free.sources, free.credits, decision.deductions);
        expect(left.credits.every(({ remaining, reserved: kept }) => remaining >= kept)).toBe(true);
      }),
      cases(1000),
    );
  });
});
