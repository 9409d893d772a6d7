import fc from 'fast-check';
import { nextAlertAt, reachedAlerts, type NotifiedUsage } from '../../src/domain/usage-alert';
import { d } from './access-cases';
import { cases } from './property';

const reach = (
  percents: number[],
  quota: string | null,
  units: string,
  notified: [string, number] | null = null,
) => {
  const known = notified === null ? null : { quota: d(notified[0]), percent: notified[1] };
  const terms = { percents, quota: quota === null ? null : d(quota), notified: known };
  return reachedAlerts(terms, d(units));
};

describe('the alerts of a quota', () => {
  test('a percent is reached with the unit that makes it full, to the last decimal', () => {
    expect(reach([80, 100], '10', '7.999999').percents).toEqual([]);
    expect(reach([80, 100], '10', '8')).toEqual({
      percents: [80],
      notified: { quota: d('10'), percent: 80 },
    });
    expect(reach([33], '0.000001', '0.000001').percents).toEqual([33]);
    expect(reach([1], '1000000000000', '10000000000').percents).toEqual([1]);
  });

  test('one use may reach several, which come lowest first', () => {
    expect(reach([120, 80, 100], '10', '11')).toEqual({
      percents: [80, 100],
      notified: { quota: d('10'), percent: 100 },
    });
    expect(reach([120, 80, 100], '10', '12', ['10', 100]).percents).toEqual([120]);
  });

  test('a notified percentage is not notified again, nor one that was passed before it was set', () => {
    expect(reach([80, 100], '10', '9', ['10', 80])).toEqual({
      percents: [],
      notified: { quota: d('10'), percent: 80 },
    });
    expect(reach([50, 80, 100], '10', '9', ['10', 80]).percents).toEqual([]);
  });

  test('another quota arms them again', () => {
    expect(reach([80, 100], '5', '9', ['10', 80])).toEqual({
      percents: [80, 100],
      notified: { quota: d('5'), percent: 100 },
    });
    expect(reach([80, 100], '20', '9', ['10', 80])).toEqual({
      percents: [],
      notified: { quota: d('10'), percent: 80 },
    });
  });

  test('there are none of an unlimited quota, of none at all, and without percents', () => {
    expect(reach([80], null, '1000').percents).toEqual([]);
    expect(reach([80], '0', '1000').percents).toEqual([]);
    expect(reach([], '10', '1000').percents).toEqual([]);
    expect(nextAlertAt({ percents: [80], quota: 0n, notified: null })).toBeNull();
    expect(nextAlertAt({ percents: [80], quota: null, notified: null })).toBeNull();
  });

  const percents = fc.uniqueArray(fc.integer({ min: 1, max: 1_000 }), { maxLength: 10 });
  const quotas = fc.option(fc.integer({ min: 0, max: 40 }), { nil: null });
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('use'), units: fc.integer({ min: 1, max: 12 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('back'), units: fc.integer({ min: 1, max: 12 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('quota'), quota: quotas }) },
  ) as fc.Arbitrary<{ kind: 'use' | 'back'; units: number } | { kind: 'quota'; quota: number | null }>;

  test('whatever is used, taken back and changed: each percent of a quota once, and when a use reaches it', () => {
    fc.assert(
      fc.property(
        percents,
        fc.integer({ min: 1, max: 40 }),
        fc.array(step, { maxLength: 60 }),
        (set, first, steps) => {
          let quota: number | null = first;
          let units = 0;
          let notified: NotifiedUsage | null = null;
          // The model: percents notified since one of a different quota was.
          let of: number | null = null;
          let said = new Set<number>();
          for (const one of steps) {
            if (one.kind === 'quota') quota = one.quota;
            else if (one.kind === 'back') units = Math.max(0, units - one.units);
            else {
              units += one.units;
              const terms = { percents: set, quota: quota === null ? null : d(String(quota)), notified };
              const isDue = nextAlertAt(terms);
              const reached = reachedAlerts(terms, d(String(units)));
              const highest = Math.max(0, ...(of === quota ? said : []));
              const expected = set
                .filter((percent) => quota !== null && quota > 0 && units * 100 >= percent * quota)
                .filter((percent) => percent > highest)
                .sort((a, b) => a - b);
              expect(reached.percents).toEqual(expected);
              // The comparison made by a track gives the same answer.
              expect(isDue !== null && d(String(units)) * 100n >= isDue).toBe(expected.length > 0);
              if (expected.length > 0) {
                if (of !== quota) said = new Set();
                of = quota;
                for (const percent of expected) {
                  expect(said.has(percent)).toBe(false);
                  said.add(percent);
                }
              }
              notified = reached.notified;
            }
          }
        },
      ),
      cases(500),
    );
  });

  test('with one quota, each percent that the largest use reached was notified exactly once', () => {
    fc.assert(
      fc.property(
        percents,
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: -12, max: 12 }), { maxLength: 60 }),
        (set, quota, changes) => {
          const terms = { percents: set, quota: d(String(quota)) };
          let [units, most] = [0, 0];
          let notified: NotifiedUsage | null = null;
          const said: number[] = [];
          for (const change of changes) {
            units = Math.max(0, units + change);
            if (change <= 0) continue;
            most = Math.max(most, units);
            const reached: ReturnType<typeof reachedAlerts> = reachedAlerts(
              { ...terms, notified },
              d(String(units)),
            );
            said.push(...reached.percents);
            notified = reached.notified;
          }
          const due = set.filter((percent) => most * 100 >= percent * quota).sort((a, b) => a - b);
          expect(said).toEqual(due);
        },
      ),
      cases(500),
    );
  });
});
