import { applyDeductions } from '../../src/domain/access';
import { d, grant, source, periodStart } from './access-cases';

describe('applying deductions', () => {
  it('leaves its arguments and what is not concerned as they are', () => {
    const untouched = source({ subscriptionId: 'sub_2' });
    const sources = [source({ creditCost: d('1') }), untouched];
    const credits = [grant('g_1', '3'), grant('g_2', '3')];
    const left = applyDeductions(sources, credits, [
      { from: 'quota', quantity: d('2'), subscriptionId: 'sub_1', periodStart },
      {
        from: 'credits',
        quantity: d('1'),
        credits: d('1'),
        grantId: 'g_2',
        subscriptionId: 'sub_1',
        periodStart,
      },
      { from: 'overage', quantity: d('4'), subscriptionId: 'sub_1', periodStart },
    ]);
    expect(left.sources[0]).toMatchObject({ quotaUsed: d('2'), used: d('7') });
    expect(left.sources[1]).toBe(untouched);
    expect(left.credits).toEqual([grant('g_1', '3'), grant('g_2', '2')]);
    expect(sources[0]?.used).toBe(0n);
    expect(credits[1]?.remaining).toBe(d('3'));
  });
});
