import fc from 'fast-check';
import {
  applyDeductions,
  applyHold,
  decideAccess,
  snapshot,
  type AccessSource,
} from '../../src/domain/access';
import { d, grant, question, source, sum } from './access-cases';
import { cases } from './property';

/** What an entity has used that has used nothing. */
const UNUSED = { quotaUsed: 0n, used: 0n, reservedQuota: 0n, reserved: 0n };
const user = (id = 'user_1', isNew = false, count = 0) => ({ id, isNew, count });
const used = (units: string) => ({ ...UNUSED, quotaUsed: d(units), used: d(units) });

/** A request by an entity that has used `of` units of each source. */
const questionOf = (units: string, sources: AccessSource[], of = '0') =>
  question({
    quantity: d(units),
    sources: sources.map((one) => ({ ...one, entity: used(of) })),
    entity: user(),
  });

describe('a quota for each entity', () => {
  const own = source({ quota: null, entityQuota: d('10'), quotaUsed: d('500'), used: d('500') });

  test('is its own: what others have used does not count, and the balances are the entity’s', () => {
    const { allowed, before, after, deductions } = decideAccess(questionOf('4', [own], '6'));
    expect(allowed).toBe(true);
    expect(sum(deductions, 'quota')).toBe(d('4'));
    expect(before).toMatchObject({ usage: d('6'), quota: d('10'), remaining: d('4'), unlimited: false });
    expect(after).toMatchObject({
      usage: d('10'),
      remaining: 0n,
      entity: { usage: d('10'), quota: d('10'), remaining: 0n },
    });
  });

  test('is not exceeded, and the reason names the entity', () => {
    const { allowed, reason } = decideAccess(questionOf('5', [own], '6'));
    expect(allowed).toBe(false);
    expect(reason).toEqual({
      code: 'quota_exceeded',
      message: '"user_1" has used 6 of its 10 "ai_tokens"; 5 requested.',
    });
  });

  test('does not call used what a reservation of the entity holds', () => {
    const entity = { ...used('6'), reservedQuota: d('3'), reserved: d('3') };
    const { reason } = decideAccess(
      question({ quantity: d('2'), sources: [{ ...own, entity }], entity: user() }),
    );
    expect(reason?.message).toBe(
      '"user_1" has used 6 of its 10 "ai_tokens" and 3 are reserved; 2 requested.',
    );
  });

  test('needs an entity, where there is nothing else to take from', () => {
    const nobody = decideAccess(question({ sources: [own] }));
    expect(nobody).toMatchObject({ allowed: false, reason: { code: 'entity_required' } });
    expect(nobody.before).toMatchObject({ quota: null, remaining: null, unlimited: false, usage: d('500') });
    const pool = source({ subscriptionId: 'sub_2', quota: d('3') });
    const { allowed, deductions } = decideAccess(question({ sources: [own, pool], quantity: d('3') }));
    expect(allowed).toBe(true);
    expect(deductions).toMatchObject([{ subscriptionId: 'sub_2' }]);
    expect(decideAccess(question({ sources: [own, pool], quantity: d('4') })).allowed).toBe(false);
  });

  test('is followed by credits and overage, like any quota', () => {
    const priced = source({ ...own, creditCost: d('1') });
    const paid = decideAccess({ ...questionOf('12', [priced]), credits: [grant('g', '2')] });
    expect(paid.deductions.map(({ from, quantity }) => [from, quantity])).toEqual([
      ['quota', d('10')],
      ['credits', d('2')],
    ]);
    const soft = decideAccess(questionOf('12', [source({ ...own, enforcement: 'soft' })]));
    expect(soft.overage).toEqual({ allowed: true, quantity: d('2') });
    expect(soft.after.entity).toMatchObject({ usage: d('12'), remaining: 0n });
  });
});

describe('a cap inside a pool', () => {
  const pool = (left: string) =>
    source({ quotaUsed: d('100') - d(left), used: d('100') - d(left), entityQuota: d('10') });

  test('gives what both have left', () => {
    expect(decideAccess(questionOf('10', [pool('50')])).allowed).toBe(true);
    expect(decideAccess(questionOf('11', [pool('50')])).allowed).toBe(false);
    expect(decideAccess(questionOf('7', [pool('6')])).allowed).toBe(false);
    const { before } = decideAccess(questionOf('6', [pool('6')], '3'));
    expect(before).toMatchObject({ quota: d('100'), remaining: d('6'), entity: { remaining: d('7') } });
  });

  test('is not called used where another plan has no cap, and the reason says what the entity may take', () => {
    const other = source({ subscriptionId: 'sub_2', quota: d('10'), quotaUsed: d('10'), used: d('10') });
    const { reason } = decideAccess(questionOf('5', [pool('90'), other], '8'));
    expect(reason?.message).toContain(
      '20 of 110 "ai_tokens" are used, and "user_1" may use 2 more; 5 requested.',
    );
  });

  test('leaves the pool as it is where no entity is named', () => {
    const { reason, before } = decideAccess(question({ sources: [pool('50')] }));
    expect(reason?.code).toBe('entity_required');
    expect(before).toMatchObject({ quota: d('100'), remaining: d('50') });
  });

  test('bounds what is carried over with it', () => {
    const carried = [{ periodStart: 0, remaining: d('20') }];
    for (const carriedFirst of [true, false]) {
      const both = source({ ...pool('4'), carried, carriedFirst });
      const { deductions, before } = decideAccess(questionOf('10', [both]));
      expect(sum(deductions)).toBe(d('10'));
      expect(before.remaining).toBe(d('10'));
      expect(decideAccess(questionOf('11', [both])).allowed).toBe(false);
    }
  });

  test('what a reservation of the entity holds is not free for it', () => {
    const [held] = applyHold(
      [source({ ...pool('50'), entity: UNUSED })],
      [],
      decideAccess(questionOf('8', [pool('50')])).deductions,
      1n,
    ).sources;
    expect(held?.entity).toEqual({ ...UNUSED, reservedQuota: d('8'), reserved: d('8') });
    const again = question({ sources: held === undefined ? [] : [held], entity: user(), quantity: d('3') });
    expect(decideAccess(again).allowed).toBe(false);
  });
});

describe('the number of entities', () => {
  const limited = source({ entityLimit: 2, entity: UNUSED });
  const by = (entity: ReturnType<typeof user>, sources = [limited]) =>
    decideAccess(question({ sources, entity }));

  test('is limited by the plan; an entity that exists already is still allowed', () => {
    expect(by(user('third', true, 1)).allowed).toBe(true);
    expect(by(user('third', true, 2)).reason).toEqual({
      code: 'entity_limit_reached',
      message: 'The plan allows 2 entities, and "third" would be one more.',
    });
    expect(by(user('first', false, 2)).allowed).toBe(true);
  });

  test('adds up over subscriptions, and one without a limit has none', () => {
    const second = source({ ...limited, subscriptionId: 'sub_2', entityLimit: 1 });
    expect(by(user('x', true, 2), [limited, second]).allowed).toBe(true);
    expect(by(user('x', true, 3), [limited, second]).allowed).toBe(false);
    expect(by(user('x', true, 3), [limited, { ...second, entityLimit: null }]).allowed).toBe(true);
  });
});

test('over random uses of several entities neither a cap nor the pool is exceeded, and no unit is lost', () => {
  const uses = fc.array(
    fc.record({ who: fc.integer({ min: 0, max: 3 }), units: fc.integer({ min: 1, max: 9 }) }),
    {
      minLength: 1,
      maxLength: 40,
    },
  );
  const quotas = fc.record({ pool: fc.option(fc.nat(60)), cap: fc.option(fc.nat(15)) });
  fc.assert(
    fc.property(quotas, uses, ({ pool, cap }, taken) => {
      let shared = source({
        quota: pool === null ? null : d(String(pool)),
        entityQuota: cap === null ? null : d(String(cap)),
      });
      const each = new Map<number, bigint>();
      let all = 0n;
      for (const { who, units } of taken) {
        const own = each.get(who) ?? 0n;
        const asking = { ...shared, entity: { ...UNUSED, quotaUsed: own, used: own } };
        const quantity = d(String(units));
        const decision = decideAccess(question({ quantity, sources: [asking], entity: user(String(who)) }));
        const fits =
          (cap === null || own + quantity <= d(String(cap))) &&
          (pool === null || all + quantity <= d(String(pool)));
        expect(decision.allowed).toBe(fits);
        if (!fits) continue;
        const [left] = applyDeductions([asking], [], decision.deductions).sources;
        if (left === undefined) throw new Error('A source is gone.');
        all += quantity;
        each.set(who, own + quantity);
        expect(left.entity.used).toBe(own + quantity);
        expect(snapshot('metered', [left], []).entity?.usage).toBe(own + quantity);
        shared = { ...left, entity: null };
        expect(shared.used).toBe(all);
      }
    }),
    cases(300),
  );
});
