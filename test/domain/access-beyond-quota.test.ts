import { decideAccess } from '../../src/domain/access';
import { d, grant, question, source, periodStart } from './access-cases';

const FEBRUARY = Date.parse('2026-02-01');
const MARCH = Date.parse('2026-03-01');
const used = (units: string): { quotaUsed: bigint; used: bigint } => ({
  quotaUsed: d(units),
  used: d(units),
});

describe('credits', () => {
  const spent = source({ ...used('98'), creditCost: d('0.5') });

  it('pay what the quota does not cover, those that expire first being used first', () => {
    const credits = [
      grant('g_never', '5'),
      grant('g_late', '5', MARCH),
      grant('g_b', '0.6', FEBRUARY),
      grant('g_a', '0.4', FEBRUARY),
    ];
    const decision = decideAccess(question({ quantity: d('5'), sources: [spent], credits }));
    const paid = { from: 'credits', subscriptionId: 'sub_1', periodStart };
    expect(decision.deductions).toEqual([
      { from: 'quota', quantity: d('2'), subscriptionId: 'sub_1', periodStart },
      { ...paid, quantity: d('0.8'), credits: d('0.4'), grantId: 'g_a' },
      { ...paid, quantity: d('1.2'), credits: d('0.6'), grantId: 'g_b' },
      { ...paid, quantity: d('1'), credits: d('0.5'), grantId: 'g_late' },
    ]);
    expect(decision.after).toMatchObject({ usage: d('103'), remaining: 0n, creditBalance: d('9.5') });
  });

  it('cover whole millionths of a unit and are charged exactly', () => {
    const dear = source({ ...used('100'), creditCost: d('3') });
    const credits = [grant('g', '1')];
    expect(decideAccess(question({ sources: [dear], credits, quantity: d('0.333334') })).allowed).toBe(false);
    const decision = decideAccess(question({ sources: [dear], credits, quantity: d('0.333333') }));
    expect(decision.deductions).toMatchObject([{ from: 'credits', credits: d('0.999999') }]);
  });

  it('are charged at the cheapest cost and attributed to the first source', () => {
    const sources = [
      source({
        subscriptionId: 'sub_late',
        ...used('100'),
        creditCost: d('1'),
        period: { start: 0, end: MARCH },
      }),
      source({ subscriptionId: 'sub_soon', ...used('100'), creditCost: d('4') }),
    ];
    expect(
      decideAccess(question({ sources, credits: [grant('g', '9')], quantity: d('2') })).deductions,
    ).toEqual([
      {
        from: 'credits',
        quantity: d('2'),
        credits: d('2'),
        grantId: 'g',
        subscriptionId: 'sub_soon',
        periodStart,
      },
    ]);
  });

  it.each([null, '0'])('do not apply to an entitlement with a cost of %s', (cost) => {
    const sources = [source({ ...used('100'), creditCost: cost === null ? null : d(cost) })];
    const decision = decideAccess(question({ sources, credits: [grant('g', '9')] }));
    expect(decision).toMatchObject({ allowed: false, before: { creditBalance: d('9') } });
  });
});

describe('a soft quota', () => {
  it('records what is beyond quota and credits as overage', () => {
    const sources = [source({ ...used('99'), creditCost: d('1'), enforcement: 'soft' })];
    const decision = decideAccess(question({ sources, credits: [grant('g', '2')], quantity: d('10') }));
    expect(decision).toMatchObject({
      allowed: true,
      enforcement: 'soft',
      overage: { allowed: true, quantity: d('7') },
      after: { usage: d('109'), remaining: 0n, creditBalance: 0n },
    });
    expect(decision.deductions.at(-1)).toEqual({
      from: 'overage',
      quantity: d('7'),
      subscriptionId: 'sub_1',
      periodStart,
    });
  });

  it('allows overage for all sources, on the first soft one', () => {
    const sources = [
      source({ subscriptionId: 'sub_hard', quota: d('1') }),
      source({
        subscriptionId: 'sub_soft_b',
        quota: d('1'),
        enforcement: 'soft',
        period: { start: 0, end: MARCH },
      }),
      source({
        subscriptionId: 'sub_soft_a',
        quota: d('1'),
        enforcement: 'soft',
        period: { start: 0, end: MARCH },
      }),
    ];
    const decision = decideAccess(question({ sources, quantity: d('5') }));
    expect(decision.subscriptionId).toBe('sub_hard');
    expect(decision.enforcement).toBe('soft');
    expect(decision.deductions.map((part) => [part.from, part.subscriptionId, part.quantity])).toEqual([
      ['quota', 'sub_hard', d('1')],
      ['quota', 'sub_soft_a', d('1')],
      ['quota', 'sub_soft_b', d('1')],
      ['overage', 'sub_soft_a', d('2')],
    ]);
  });
});
