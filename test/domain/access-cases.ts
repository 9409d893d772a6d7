import fc from 'fast-check';
import { DAY_MS } from '../../src/domain/instant';
import type { AccessQuestion, AccessSource, CreditBalance, Deduction } from '../../src/domain/access';
import { parseDecimal, type Decimal } from '../../src/domain/decimal';

export const d = parseDecimal;

/** Start of the usage period of `source`. */
export const periodStart = Date.parse('2026-01-01');

/** A hard source of 100 a month on plan "pro", with the given changes. */
export function source(changes: Partial<AccessSource> = {}): AccessSource {
  return {
    subscriptionId: 'sub_1',
    plan: { id: 'plan_1', slug: 'pro' },
    quota: d('100'),
    quotaUsed: 0n,
    used: 0n,
    usedLater: 0n,
    reservedQuota: 0n,
    carried: [],
    carriedLimit: null,
    carriedFirst: false,
    reserved: 0n,
    enforcement: 'hard',
    creditCost: null,
    period: { start: periodStart, end: Date.parse('2026-02-01') },
    entityQuota: null,
    entityLimit: null,
    entity: null,
    ...changes,
  };
}

export function grant(grantId: string, remaining: string, expiresAt: number | null = null): CreditBalance {
  return { grantId, remaining: d(remaining), reserved: 0n, expiresAt };
}

/** Asks for one unit of the metered feature "ai_tokens" for a customer in good standing, with the given changes. */
export function question(changes: Partial<AccessQuestion> = {}): AccessQuestion {
  return {
    feature: { key: 'ai_tokens', kind: 'metered' },
    quantity: d('1'),
    sources: [source()],
    credits: [],
    now: Date.parse('2026-01-15'),
    accessStatus: 'active',
    entity: null,
    ...changes,
  };
}

export function sum(deductions: readonly Deduction[], from?: Deduction['from']): Decimal {
  return deductions
    .filter((deduction) => from === undefined || deduction.from === from)
    .reduce((total, deduction) => total + deduction.quantity, 0n);
}

const micros = (max: bigint): fc.Arbitrary<Decimal> =>
  fc.bigInt({ min: 0n, max }).map((amount) => amount * 10n ** 6n);
const roundOrFine = fc.oneof(
  fc.bigInt({ min: 0n, max: 40n }).map((units) => units * 10n ** 12n),
  micros(40_000_000n),
);

/** Quantities above zero with at most six decimals, of the same magnitude as the quotas below. */
export const quantities = roundOrFine.map((amount) => (amount === 0n ? 10n ** 6n : amount));

const creditCosts = fc.option(
  fc.oneof(
    fc.constant(10n ** 12n),
    fc.bigInt({ min: 1n, max: 5_000_000n }).map((cost) => cost * 10n ** 6n),
  ),
);

/** Sources of one customer; `limited` excludes unlimited ones. */
export function sources(limited: boolean): fc.Arbitrary<AccessSource[]> {
  const one = fc.record({
    quota: limited ? roundOrFine : fc.option(roundOrFine, { freq: 4 }),
    quotaUsed: roundOrFine,
    beyond: roundOrFine,
    enforcement: fc.constantFrom<'hard' | 'soft'>('hard', 'soft'),
    creditCost: creditCosts,
    days: fc.option(fc.integer({ min: 1, max: 4 })),
  });
  return fc.array(one, { minLength: 1, maxLength: 4 }).map((drawn) =>
    drawn.map(({ beyond, days, ...rest }, index) =>
      source({
        ...rest,
        subscriptionId: `sub_${(index * 7) % 4}`,
        used: rest.quotaUsed + beyond,
        period: { start: 0, end: days === null ? null : days * DAY_MS },
      }),
    ),
  );
}

export const creditBalances: fc.Arbitrary<CreditBalance[]> = fc
  .array(fc.record({ remaining: roundOrFine, expiresAt: fc.option(fc.integer({ min: 1, max: 3 })) }), {
    maxLength: 3,
  })
  .map((drawn) =>
    drawn.map((balance, index) => ({ ...balance, reserved: 0n, grantId: `grant_${(index * 5) % 3}` })),
  );
