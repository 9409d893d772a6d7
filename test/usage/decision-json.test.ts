import { decideAccess, type AccessDecision, type AccessQuestion } from '../../src/domain/access';
import { parseDecimal } from '../../src/domain/decimal';
import { checkJson, eventDataJson, sharedMembers, trackJson } from '../../src/usage/decision-json';
import type { UsageCall } from '../../src/usage/usage-call';
import { checkSchema, trackSchema } from '../../src/usage/usage-answer-schema';

const AWKWARD = 'a "b" \\ \n \u2028 é 😀';
const ids = { decisionId: 'dec_1', eventId: 'uev_1', customerId: 'cus_1' };

const call = (operation: 'check' | 'track', quantity = '2.5'): UsageCall => ({
  operation,
  externalId: AWKWARD,
  feature: 'ai"tokens',
  quantity: parseDecimal(quantity),
  source: AWKWARD,
  entity: null,
  timestamp: null,
  properties: null,
  reserve: null,
  reservationId: null,
  claim: operation === 'track' ? { key: AWKWARD, fingerprint: Buffer.alloc(32) } : null,
  requestId: 'req_1',
});

const source: AccessQuestion['sources'][number] = {
  subscriptionId: 'sub_1',
  plan: { id: 'plan_1', slug: 'pro' },
  quota: parseDecimal('10'),
  quotaUsed: parseDecimal('8'),
  used: parseDecimal('8'),
  usedLater: 0n,
  reservedQuota: 0n,
  carried: [],
  carriedLimit: null,
  carriedFirst: false,
  reserved: 0n,
  enforcement: 'hard',
  creditCost: parseDecimal('0.5'),
  period: { start: Date.UTC(2026, 0, 31), end: Date.UTC(2026, 1, 28) },
  entityQuota: null,
  entityLimit: null,
  entity: null,
};

const decide = (quantity: string, sources: AccessQuestion['sources'], credits = '3'): AccessDecision =>
  decideAccess({
    feature: { key: 'ai"tokens', kind: 'metered' },
    quantity: parseDecimal(quantity),
    sources,
    credits: [{ grantId: 'crd_1', remaining: parseDecimal(credits), reserved: 0n, expiresAt: null }],
    now: Date.UTC(2026, 1, 1),
    accessStatus: sources.length === 0 ? 'none' : 'active',
    entity: null,
  });

describe('the JSON of a decision', () => {
  test("a check's answer has the members of its schema, and the balances before", () => {
    const one = call('check');
    const decision = decide('2.5', [source]);
    const answer = checkSchema
      .strict()
      .parse(JSON.parse(checkJson(decision, 'dec_1', sharedMembers(one, decision))));
    expect(answer).toEqual({
      status: 'access_granted',
      allowed: true,
      reason: null,
      decisionId: 'dec_1',
      externalId: AWKWARD,
      feature: 'ai"tokens',
      quantity: 2.5,
      usage: 8,
      quota: 10,
      remaining: 2,
      unlimited: false,
      rollover: 0,
      reserved: 0,
      enforcement: 'hard',
      creditBalance: 3,
      overage: { allowed: false, quantity: 0 },
      period: { start: '2026-01-31T00:00:00.000Z', end: '2026-02-28T00:00:00.000Z' },
      plan: { id: 'plan_1', slug: 'pro' },
      subscriptionId: 'sub_1',
    });
  });

  test("a denial's answer says why, and what is missing is null", () => {
    const decision = decide('1', []);
    const shared = sharedMembers(call('check', '1'), decision);
    const answer = checkSchema.strict().parse(JSON.parse(checkJson(decision, 'dec_1', shared)));
    expect(answer).toMatchObject({ status: 'access_denied', allowed: false, reason: decision.reason });
    expect(answer).toMatchObject({ enforcement: null, period: null, plan: null, subscriptionId: null });
    const data: unknown = JSON.parse(eventDataJson(call('check', '1'), decision, ids, shared));
    expect(data).toMatchObject({ reason: 'no_active_subscription', overage: 0 });
  });

  test("a track's answer has the members of its schema, and the balances after", () => {
    const one = call('track');
    const decision = decide('2.5', [source]);
    const shared = sharedMembers(one, decision);
    const answer: unknown = JSON.parse(
      trackJson(one, decision, ids, shared, { recordedAt: Date.UTC(2026, 1, 1), late: false }),
    );
    expect(trackSchema.strict().parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      usage: 10.5,
      remaining: 0,
      creditBalance: 2.75,
      source: AWKWARD,
      deductions: [
        { from: 'quota', quantity: 2, subscriptionId: 'sub_1' },
        { from: 'credits', quantity: 0.5, subscriptionId: 'sub_1', credits: 0.25, grantId: 'crd_1' },
      ],
      timestamp: '2026-02-01T00:00:00.000Z',
      late: false,
      recordedAt: '2026-02-01T00:00:00.000Z',
    });
  });

  test("the developer event's data has the answer's members, and overage as a number", () => {
    const one = call('track', '20');
    const decision = decide('20', [{ ...source, enforcement: 'soft', quota: null }]);
    const shared = sharedMembers(one, decision);
    expect(JSON.parse(eventDataJson(one, decision, ids, shared))).toEqual({
      operation: 'track',
      decisionId: 'dec_1',
      eventId: 'uev_1',
      idempotencyKey: AWKWARD,
      requestId: 'req_1',
      customerId: 'cus_1',
      rule: 'unlimited',
      externalId: AWKWARD,
      feature: 'ai"tokens',
      quantity: 20,
      usage: 28,
      quota: null,
      remaining: null,
      unlimited: true,
      rollover: 0,
      reserved: 0,
      enforcement: 'soft',
      creditBalance: 3,
      overage: 0,
      period: { start: '2026-01-31T00:00:00.000Z', end: '2026-02-28T00:00:00.000Z' },
      plan: { id: 'plan_1', slug: 'pro' },
      subscriptionId: 'sub_1',
    });
  });
});
