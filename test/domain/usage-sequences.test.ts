import { DAY_MS } from '../../src/domain/instant';
import fc from 'fast-check';
import type { AccessDecision } from '../../src/domain/access';
import { unitsTaken } from '../../src/domain/usage-reversal';
import { cases } from './property';
import { availableAt, hasPlace, ofQuotaBy } from './usage-available';
import { UsageModel } from './usage-model';
import { PEOPLE, START, UNIT, type ModelTerms, type Person } from './usage-rows';

const units = fc.integer({ min: 1, max: 40 });
const terms: fc.Arbitrary<ModelTerms> = fc.record({
  quota: fc.integer({ min: 0, max: 60 }).map((quota) => BigInt(quota) * UNIT),
  soft: fc.boolean(),
  rollover: fc.record({
    periods: fc.integer({ min: 0, max: 3 }),
    most: fc.option(units.map((most) => BigInt(most) * UNIT)),
    first: fc.boolean(),
  }),
  entityQuota: fc.option(fc.integer({ min: 0, max: 60 }).map((quota) => BigInt(quota) * UNIT)),
  entityLimit: fc.option(fc.constantFrom(1, 1, 2), { freq: 3 }),
});
const who = fc.constantFrom(...PEOPLE);

/** Steps of a sequence; `pick` selects one of the existing uses or reservations. */
const steps = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('track'), who, units, days: fc.integer({ min: 0, max: 4 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('reserve'), who, units, days: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('confirm'), units, part: fc.boolean(), pick: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release'), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse'), units, pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('grant'), units, days: fc.option(units) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass'), days: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('change'), terms }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove'), who }) },
);
type Step = {
  do: string;
  who?: Person;
  units?: number;
  days?: number | null;
  pick?: number;
  /** For a confirmation: confirms at most the units held. */
  part?: boolean;
  terms?: ModelTerms;
};

/** The largest quotas so far; null: unlimited. */
type Largest = Pick<ModelTerms, 'quota' | 'entityQuota'>;

function larger(largest: Largest, { quota, entityQuota }: Largest): Largest {
  const isMore = entityQuota === null || (largest.entityQuota !== null && entityQuota > largest.entityQuota);
  return {
    quota: quota > largest.quota ? quota : largest.quota,
    entityQuota: isMore ? entityQuota : largest.entityQuota,
  };
}

/** Checks the invariants that hold after every step. */
function expectExact(model: UsageModel, largest: Largest): void {
  // A single assertion per step, because an assertion costs more than the values it checks.
  const wrong: string[] = [];
  for (const { id, amount } of model.grantAmounts()) {
    const spent = model.spent(id);
    if (spent < 0n || spent + model.heldCredits(id) > amount) wrong.push(id);
  }
  for (let start = START; start <= model.now; start += DAY_MS) {
    const day = new Date(start).toISOString();
    const used = model.usedOfQuota(start);
    if (used < 0n || used + model.heldOfQuota(start) > largest.quota) wrong.push(day);
    for (const person of PEOPLE) {
      const taken = ofQuotaBy(model, start, person);
      const isMore = largest.entityQuota !== null && taken > largest.entityQuota;
      if (taken < 0n || isMore) wrong.push(`${day} ${person}`);
    }
  }
  expect(wrong).toEqual([]);
}

/**
 * Expects a grant if enough is available, a grant with overage for the rest if the plan allows that, and a refusal
 * otherwise.
 */
function expectDecided(
  { allowed, overage, reason }: AccessDecision,
  quantity: bigint,
  { available, soft, place }: { available: bigint; soft: boolean; place: boolean },
): void {
  if (!place) {
    expect(reason?.code).toBe('entity_limit_reached');
    return;
  }
  expect(allowed).toBe(soft || quantity <= available);
  expect(overage.quantity).toBe(allowed && quantity > available ? quantity - available : 0n);
}

function take(model: UsageModel, step: Step): AccessDecision | undefined {
  const quantity = BigInt(step.units ?? 1) * UNIT;
  const person = step.who ?? 'ann';
  const holds = model.live();
  const hold = holds[(step.pick ?? 0) % Math.max(holds.length, 1)];
  switch (step.do) {
    case 'track':
    case 'reserve': {
      const { soft } = model.terms;
      const isUse = step.do === 'track';
      const available = availableAt(model, isUse ? model.timeOf(step.days ?? 0) : model.now, person);
      const place = hasPlace(model, person);
      const decision = isUse
        ? model.track(person, quantity, step.days ?? 0)
        : model.reserve(person, quantity, step.days ?? 1);
      expectDecided(decision, quantity, { available, soft, place });
      return decision;
    }
    case 'confirm': {
      if (hold === undefined) return undefined;
      const held = unitsTaken(hold.deductions);
      const used = step.part === true && held < quantity ? held : quantity;
      const available = held + availableAt(model, model.now, hold.entity);
      const beyond = hasPlace(model, hold.entity) && (model.terms.soft || used <= available);
      const decision = model.confirm(hold, used);
      // Held units are always available, whatever has happened since; anything beyond depends on what remains.
      expect(decision.allowed).toBe(used <= held || beyond);
      return decision;
    }
    case 'release':
      if (hold !== undefined) model.release(hold);
      return undefined;
    case 'reverse': {
      const uses = model.uses.filter(({ isReversed }) => !isReversed);
      const use = uses[(step.pick ?? 0) % Math.max(uses.length, 1)];
      if (use === undefined) return undefined;
      const all = unitsTaken(use.deductions);
      model.reverse(use, quantity < all ? quantity : all);
      return undefined;
    }
    case 'grant':
      model.grantCredits(step.units ?? 1, step.days ?? null);
      return undefined;
    case 'remove':
      model.known.delete(person);
      return undefined;
    case 'pass':
      model.pass(step.days ?? 1);
      return undefined;
    default:
      if (step.terms !== undefined) model.change(step.terms);
      return undefined;
  }
}

test('over random uses of several entities, reservations, reversals, grants, periods and plans no unit is lost, doubled or beyond a limit', () => {
  fc.assert(
    fc.property(terms, fc.array(steps, { minLength: 5, maxLength: 40 }), (first, taken) => {
      const model = new UsageModel(first);
      let largest: Largest = first;
      for (const step of taken as Step[]) {
        const before = model.taken(() => true);
        const known = model.known.size;
        const reversed = step.do === 'reverse';
        const decision = take(model, step);
        if (step.terms !== undefined) largest = larger(largest, step.terms);
        if (decision !== undefined) {
          const taken = unitsTaken(decision.deductions);
          if (step.part !== true) expect(taken).toBe(decision.allowed ? BigInt(step.units ?? 1) * UNIT : 0n);
          const grown = model.taken(() => true) - before;
          expect(grown).toBe(decision.allowed && step.do !== 'reserve' ? taken : 0n);
        } else if (!reversed) expect(model.taken(() => true)).toBe(before);
        // No entity is added beyond the limit; existing ones stay under a plan with fewer places.
        const limit = model.terms.entityLimit ?? PEOPLE.length;
        expect(model.known.size).toBeLessThanOrEqual(Math.max(known, limit));
        expectExact(model, largest);
      }
    }),
    cases(400),
  );
});

test('everything taken back and released, all is as it was', () => {
  fc.assert(
    fc.property(terms, fc.array(steps, { minLength: 5, maxLength: 30 }), (first, taken) => {
      const model = new UsageModel(first);
      for (const step of taken as Step[]) if (step.do !== 'reverse') take(model, step);
      for (const use of model.uses) model.reverse(use, unitsTaken(use.deductions));
      for (const hold of model.live()) model.release(hold);
      expect(model.taken(() => true)).toBe(0n);
      for (const { id } of model.grantAmounts()) expect(model.spent(id)).toBe(0n);
      const { sources, credits } = model.question('ann', UNIT, model.now);
      expect(sources[0]).toMatchObject({ used: 0n, quotaUsed: 0n, usedLater: 0n, reserved: 0n });
      expect(credits.every(({ reserved }) => reserved === 0n)).toBe(true);
    }),
    cases(200),
  );
});
