import { applyDeductions, decideAccess } from '../../src/domain/access';
import type { AccessSource } from '../../src/domain/access-types';
import { d, grant, question, source, periodStart } from './access-cases';

const FEBRUARY = Date.parse('2026-02-01');
const MARCH = Date.parse('2026-03-01');
const used = (units: string): { quotaUsed: bigint; used: bigint } => ({
  quotaUsed: d(units),
  used: d(units),
});

describe('a metered feature with a hard quota', () => {
  it('grants what the quota holds and shows both sides', () => {
    const decision = decideAccess(
      question({
        quantity: d('500'),
        sources: [source({ quota: d('10000'), ...used('1200') })],
        credits: [grant('g', '25.5')],
      }),
    );
    expect(decision).toEqual({
      allowed: true,
      reason: null,
      deductions: [{ from: 'quota', quantity: d('500'), subscriptionId: 'sub_1', periodStart }],
      before: {
        usage: d('1200'),
        quota: d('10000'),
        remaining: d('8800'),
        unlimited: false,
        rollover: 0n,
        reserved: 0n,
        creditBalance: d('25.5'),
        entity: null,
      },
      after: {
        usage: d('1700'),
        quota: d('10000'),
        remaining: d('8300'),
        unlimited: false,
        rollover: 0n,
        reserved: 0n,
        creditBalance: d('25.5'),
        entity: null,
      },
      enforcement: 'hard',
      overage: { allowed: false, quantity: 0n },
      period: { start: Date.parse('2026-01-01'), end: FEBRUARY },
      plan: { id: 'plan_1', slug: 'pro' },
      subscriptionId: 'sub_1',
    });
  });

  it('grants the last unit and refuses a millionth more', () => {
    const sources = [source(used('99'))];
    expect(decideAccess(question({ sources, quantity: d('1') })).allowed).toBe(true);
    expect(decideAccess(question({ sources, quantity: d('1.000001') })).allowed).toBe(false);
  });

  it('refuses the whole call, and says how much is used and when it resets', () => {
    const decision = decideAccess(
      question({ quantity: d('500'), sources: [source({ quota: d('10000'), ...used('9800') })] }),
    );
    expect(decision).toMatchObject({
      allowed: false,
      deductions: [],
      overage: { allowed: false, quantity: 0n },
    });
    expect(decision.after).toEqual(decision.before);
    expect(decision.subscriptionId).toBe('sub_1');
    expect(decision.reason).toEqual({
      code: 'quota_exceeded',
      message:
        '9800 of 10000 "ai_tokens" are used; 500 requested. The quota resets at 2026-02-01T00:00:00.000Z.',
    });
  });

  it('says what credits would have covered, and that a quota does not reset', () => {
    const once = source({ ...used('100'), creditCost: d('2'), period: { start: 0, end: null } });
    const decision = decideAccess(
      question({ quantity: d('10'), sources: [once], credits: [grant('g', '7')] }),
    );
    expect(decision.reason?.message).toBe(
      '100 of 100 "ai_tokens" are used and credits cover 3.5 more; 10 requested. This quota does not reset.',
    );
  });

  it('does not call used what reservations hold of the quota', () => {
    const held = { reservedQuota: d('30'), reserved: d('30') };
    const message = (changes: Partial<AccessSource>): string | undefined =>
      decideAccess(question({ quantity: d('20'), sources: [source({ ...held, ...changes })] })).reason
        ?.message;
    expect(message(used('60'))).toContain(
      '60 of 100 "ai_tokens" are used and 30 are reserved; 20 requested.',
    );
    // After the quota was reduced, used units are counted first.
    expect(message({ ...used('60'), quota: d('70') })).toContain(
      '60 of 70 "ai_tokens" are used and 10 are reserved;',
    );
    expect(message({ ...used('80'), quota: d('70') })).toContain(
      '70 of 70 "ai_tokens" are used; 20 requested.',
    );
  });

  it('has nothing left, and not less than nothing, after the quota was made smaller', () => {
    const sources = [
      source({ quota: d('50'), ...used('80') }),
      source({ subscriptionId: 'sub_2', quota: d('10') }),
    ];
    expect(decideAccess(question({ sources })).before).toMatchObject({ quota: d('60'), remaining: d('10') });
    expect(decideAccess(question({ sources, quantity: d('11') })).reason?.code).toBe('quota_exceeded');
  });

  it('reaches exactly 1 with ten times 0.1', () => {
    let sources = [source({ quota: d('1') })];
    for (let call = 0; call < 10; call++) {
      const decision = decideAccess(question({ sources, quantity: d('0.1') }));
      expect(decision.allowed).toBe(true);
      sources = applyDeductions(sources, [], decision.deductions).sources;
    }
    expect(sources[0]?.used).toBe(d('1'));
    expect(decideAccess(question({ sources, quantity: d('0.000001') })).allowed).toBe(false);
  });

  it('refuses to decide on nothing or less', () => {
    expect(() => decideAccess(question({ quantity: 0n }))).toThrow(RangeError);
    expect(() => decideAccess(question({ quantity: -1n }))).toThrow(RangeError);
  });
});

describe('several subscriptions', () => {
  it('add up, and the one whose period ends first is used first, one without an end last', () => {
    const sources = [
      source({ subscriptionId: 'sub_never', quota: d('5'), period: { start: 0, end: null } }),
      source({ subscriptionId: 'sub_march', quota: d('5'), period: { start: 0, end: MARCH } }),
      source({ subscriptionId: 'sub_february', quota: d('5') }),
    ];
    const decision = decideAccess(question({ sources, quantity: d('12') }));
    expect(decision.before.quota).toBe(d('15'));
    expect(decision.deductions.map((part) => [part.subscriptionId, part.quantity])).toEqual([
      ['sub_february', d('5')],
      ['sub_march', d('5')],
      ['sub_never', d('2')],
    ]);
    expect(decision.period?.end).toBe(FEBRUARY);
  });

  it('take everything from an unlimited one', () => {
    const sources = [
      source(),
      source({ subscriptionId: 'sub_all', quota: null, period: { start: 0, end: null } }),
    ];
    const decision = decideAccess(question({ sources, quantity: d('1000000') }));
    expect(decision.deductions).toEqual([
      { from: 'quota', quantity: d('1000000'), subscriptionId: 'sub_all', periodStart: 0 },
    ]);
    expect(decision.subscriptionId).toBe('sub_all');
    expect(decision.after).toEqual({
      usage: d('1000000'),
      quota: null,
      remaining: null,
      unlimited: true,
      rollover: 0n,
      reserved: 0n,
      creditBalance: 0n,
      entity: null,
    });
  });
});

describe('a boolean feature', () => {
  const feature = { key: 'sso', kind: 'boolean' as const };

  it('is granted by any source, with nothing to count', () => {
    const decision = decideAccess(question({ feature, sources: [source({ quota: null })] }));
    expect(decision).toMatchObject({
      allowed: true,
      deductions: [],
      overage: { allowed: false, quantity: 0n },
      after: { quota: null, remaining: null, unlimited: false },
      subscriptionId: 'sub_1',
    });
  });

  it('is refused without one', () => {
    const decision = decideAccess(question({ feature, sources: [] }));
    expect(decision).toMatchObject({
      allowed: false,
      reason: { code: 'feature_not_in_plan' },
      before: { quota: null },
    });
  });
});

describe('without any source', () => {
  it.each([
    ['past_due', 'subscription_past_due'],
    ['none', 'no_active_subscription'],
    ['active', 'feature_not_in_plan'],
  ] as const)('standing %s is refused with %s', (status, code) => {
    const decision = decideAccess(
      question({ sources: [], accessStatus: status, credits: [grant('g', '9')] }),
    );
    expect(decision).toMatchObject({
      allowed: false,
      reason: { code },
      deductions: [],
      before: { usage: 0n, quota: 0n, remaining: 0n, unlimited: false, creditBalance: d('9') },
      enforcement: null,
      period: null,
      plan: null,
      subscriptionId: null,
    });
    expect(decision.reason?.message).toContain('"ai_tokens"');
  });
});
