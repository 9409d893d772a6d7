import fc from 'fast-check';
import { lowCredits, type HeldGrant } from '../../src/domain/credit-alert';
import { d } from './access-cases';
import { cases } from './property';

const grant = (amount: string, remaining: string, notified = false): HeldGrant => ({
  amount: d(amount),
  remaining: d(remaining),
  notified,
});

describe('credits that are low', () => {
  test('at most the percent of what the grants gave together, to the last decimal', () => {
    expect(lowCredits(20, [grant('100', '20.000001')])).toBeNull();
    expect(lowCredits(20, [grant('100', '20')])).toEqual({ remaining: d('20'), granted: d('100') });
    expect(lowCredits(20, [grant('100', '0'), grant('50', '31')])).toBeNull();
    expect(lowCredits(20, [grant('100', '0'), grant('50', '30')])).toEqual({
      remaining: d('30'),
      granted: d('150'),
    });
  });

  test('are notified once, and again with a grant that was not', () => {
    expect(lowCredits(20, [grant('100', '3', true)])).toBeNull();
    expect(lowCredits(20, [grant('100', '3', true), grant('10', '10')])).not.toBeNull();
    expect(lowCredits(20, [grant('100', '3', true), grant('100', '100')])).toBeNull();
  });

  test('are never notified without a percent or a grant', () => {
    expect(lowCredits(null, [grant('100', '0')])).toBeNull();
    expect(lowCredits(20, [])).toBeNull();
  });

  test('grants that come and are used up: at most once for each grant, and always where all is used', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ give: fc.integer({ min: 1, max: 30 }) }),
        fc.record({ use: fc.integer({ min: 1, max: 30 }) }),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), steps, (percent, all) => {
        let grants: HeldGrant[] = [];
        let [granted, alerts] = [0, 0];
        for (const step of all) {
          if ('give' in step) {
            granted += 1;
            grants.push(grant(String(step.give), String(step.give)));
            continue;
          }
          const held = grants.filter(({ remaining }) => remaining > 0n);
          let left = d(String(step.use));
          const after = held.map((one) => {
            const taken = one.remaining < left ? one.remaining : left;
            left -= taken;
            return { ...one, remaining: one.remaining - taken };
          });
          const low = lowCredits(percent, after);
          const isEmpty = after.every(({ remaining }) => remaining === 0n);
          const isArmed = after.some(({ notified }) => !notified);
          if (isEmpty && isArmed) expect(low).not.toBeNull();
          if (low !== null) {
            alerts += 1;
            expect(isArmed).toBe(true);
          }
          grants = after.map((one) => ({ ...one, notified: one.notified || low !== null }));
        }
        expect(alerts).toBeLessThanOrEqual(granted);
      }),
      cases(500),
    );
  });
});
