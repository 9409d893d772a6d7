import fc from 'fast-check';
import { DAY_MS } from '../../src/domain/instant';
import { decideAccess } from '../../src/domain/access';
import { parseDecimal } from '../../src/domain/decimal';
import { usagePeriod, type ResetInterval } from '../../src/domain/period';
import { carriedOver, termsAt, type FormerTerms, type PeriodUse } from '../../src/domain/rollover';
import { d, question, source, sum } from './access-cases';
import { cases } from './property';

const NOTHING_USED: PeriodUse = { used: 0n, usedLater: 0n };
/** A yearly plan that began on 31 January, with monthly quotas. */
const yearly = {
  startedAt: Date.parse('2026-01-31T00:00:00Z'),
  billingAnchor: Date.parse('2026-01-31T00:00:00Z'),
  timeZone: 'UTC',
  interval: 'year',
} as const;
const monthly = (quota: string) => ({ quota: d(quota), resetInterval: 'month', rollsOver: true }) as const;

function carried(
  at: string,
  changes: {
    periods?: number;
    former?: FormerTerms[];
    resetInterval?: ResetInterval;
    uses?: Record<string, [string, string]>;
  } = {},
): Record<string, string> {
  const { periods = 2, former = [], resetInterval = 'month', uses = {} } = changes;
  const found = carriedOver({
    subscription: yearly,
    period: usagePeriod(yearly, resetInterval, Date.parse(at)),
    terms: { periods, most: null },
    present: { ...monthly('100'), resetInterval },
    former,
    use: (start) => {
      const known = uses[new Date(start).toISOString().slice(0, 10)];
      return known === undefined ? NOTHING_USED : { used: d(known[0]), usedLater: d(known[1]) };
    },
  });
  return Object.fromEntries(
    found.map(({ periodStart, remaining }) => [
      new Date(periodStart).toISOString().slice(0, 10),
      String(remaining / 10n ** 12n),
    ]),
  );
}

describe('what earlier usage periods leave', () => {
  test('the unused of each month of a yearly plan, for as many months as the terms say', () => {
    expect(carried('2026-02-10')).toEqual({});
    expect(carried('2026-03-10')).toEqual({ '2026-01-31': '100' });
    expect(carried('2026-05-10')).toEqual({ '2026-02-28': '100', '2026-03-31': '100' });
    expect(carried('2026-05-10', { periods: 1 })).toEqual({ '2026-03-31': '100' });
    expect(carried('2026-05-10', { periods: 0 })).toEqual({});
  });

  test('less what the period itself and later ones have used', () => {
    const uses = { '2026-02-28': ['30', '50'], '2026-03-31': ['100', '0'] } as const;
    expect(carried('2026-05-10', { uses: { ...uses } as never })).toEqual({ '2026-02-28': '20' });
  });

  test('of the quota as it was at the end of each: another plan, other seats, no rollover then', () => {
    const until = (time: string, terms: Partial<FormerTerms>): FormerTerms => ({
      ...monthly('10'),
      until: Date.parse(time),
      ...terms,
    });
    // Upgraded in mid-March, so that period ended with the new quota.
    expect(carried('2026-05-10', { former: [until('2026-03-15', {})] })).toEqual({
      '2026-02-28': '100',
      '2026-03-31': '100',
    });
    expect(carried('2026-04-10', { former: [until('2026-03-15', {})] })).toEqual({
      '2026-01-31': '10',
      '2026-02-28': '100',
    });
    expect(carried('2026-04-10', { former: [until('2026-03-15', { rollsOver: false })] })).toEqual({
      '2026-02-28': '100',
    });
    expect(carried('2026-04-10', { former: [until('2026-03-15', { resetInterval: 'day' })] })).toEqual({
      '2026-02-28': '100',
    });
    expect(carried('2026-04-10', { former: [until('2026-03-15', { quota: null })] })).toEqual({
      '2026-02-28': '100',
    });
  });

  test('nothing before the subscription, and nothing where a quota never resets', () => {
    expect(carried('2026-03-10', { periods: 36 })).toEqual({ '2026-01-31': '100' });
    expect(carried('2026-03-10', { resetInterval: 'never' })).toEqual({});
    expect(carried('2026-03-10', { resetInterval: 'year' })).toEqual({});
  });

  test('terms are those that were changed first after an instant', () => {
    const former = [
      { ...monthly('1'), until: 10 },
      { ...monthly('2'), until: 20 },
    ];
    const quotaAt = (at: number): bigint | null => termsAt(at, monthly('3'), former).quota;
    expect([9, 10, 19, 20].map(quotaAt)).toEqual([d('1'), d('2'), d('2'), d('3')]);
  });
});

describe('a quota with units of earlier periods', () => {
  const [older, newer] = [Date.parse('2025-11-01'), Date.parse('2025-12-01')];
  const lots = [
    { periodStart: older, remaining: d('5') },
    { periodStart: newer, remaining: d('20') },
  ];

  test('uses them after its own, oldest first, or before', () => {
    const last = [source({ quota: d('10'), carried: lots })];
    expect(decideAccess(question({ sources: last, quantity: d('18') })).deductions).toMatchObject([
      { from: 'quota', quantity: d('10') },
      { from: 'rollover', quantity: d('5'), originStart: older },
      { from: 'rollover', quantity: d('3'), originStart: newer },
    ]);
    const first = [source({ quota: d('10'), carried: lots, carriedFirst: true })];
    expect(decideAccess(question({ sources: first, quantity: d('27') })).deductions).toMatchObject([
      { from: 'rollover', quantity: d('5') },
      { from: 'rollover', quantity: d('20') },
      { from: 'quota', quantity: d('2') },
    ]);
  });

  test('shows them in what remains, and no more than may be used in one period', () => {
    const limited = [source({ quota: d('10'), carried: lots, carriedLimit: d('7') })];
    const decision = decideAccess(question({ sources: limited, quantity: d('17') }));
    expect(decision.before).toMatchObject({ quota: d('10'), remaining: d('17'), rollover: d('7') });
    expect(decision.after).toMatchObject({ remaining: 0n, rollover: 0n, usage: d('17') });
    const refused = decideAccess(question({ sources: limited, quantity: d('17.000001') }));
    expect(refused.reason?.message).toContain('0 of 10 "ai_tokens" are used and 7 are carried over');
  });
});

test('over random months no unit of a month is used twice, and none beyond its terms', () => {
  const quantities = fc.integer({ min: 1, max: 150 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ month: fc.integer({ min: 0, max: 7 }), quantity: quantities }), { maxLength: 40 }),
      fc.integer({ min: 0, max: 4 }),
      fc.option(fc.integer({ min: 1, max: 120 })),
      fc.boolean(),
      (calls, periods, most, carriedFirst) => {
        const quota = parseDecimal('100');
        const limit = most === null ? null : BigInt(most) * 10n ** 12n;
        const used = new Map<number, { used: bigint; usedLater: bigint; rollover: bigint; all: bigint }>();
        const of = (start: number) => used.get(start) ?? { used: 0n, usedLater: 0n, rollover: 0n, all: 0n };
        for (const { month, quantity } of calls.toSorted((a, b) => a.month - b.month)) {
          const at = yearly.startedAt + month * 30.5 * DAY_MS + DAY_MS;
          const period = usagePeriod(yearly, 'month', at);
          const own = of(period.start);
          const lots = carriedOver({
            subscription: yearly,
            period,
            terms: { periods, most: limit },
            present: { quota, resetInterval: 'month', rollsOver: true },
            former: [],
            use: of,
          });
          const decision = decideAccess(
            question({
              quantity: BigInt(quantity) * 10n ** 12n,
              sources: [
                source({
                  period,
                  quota,
                  quotaUsed: own.used,
                  used: own.all,
                  usedLater: own.usedLater,
                  carried: lots,
                  carriedLimit: limit === null ? null : limit - own.rollover,
                  carriedFirst,
                }),
              ],
            }),
          );
          if (!decision.allowed) continue;
          expect(sum(decision.deductions)).toBe(BigInt(quantity) * 10n ** 12n);
          for (const part of decision.deductions) {
            const now = of(period.start);
            if (part.from === 'rollover') {
              const origin = of(part.originStart);
              used.set(part.originStart, { ...origin, usedLater: origin.usedLater + part.quantity });
              used.set(period.start, {
                ...now,
                rollover: now.rollover + part.quantity,
                all: now.all + part.quantity,
              });
            } else {
              used.set(period.start, {
                ...now,
                used: now.used + part.quantity,
                all: now.all + part.quantity,
              });
            }
          }
        }
        for (const one of used.values()) {
          expect(one.used + one.usedLater <= quota).toBe(true);
          if (limit !== null) expect(one.rollover <= limit).toBe(true);
        }
      },
    ),
    cases(600),
  );
});
