import { DAY_MS } from '../../src/domain/instant';
import {
  applyHold,
  decideAccess,
  type AccessDecision,
  type AccessQuestion,
  type AccessSource,
  type CreditBalance,
  type Deduction,
} from '../../src/domain/access';
import type { Decimal } from '../../src/domain/decimal';
import { makesEntity } from '../../src/domain/entity-quota';
import { withHeld } from '../../src/domain/held-source';
import { usagePeriod, type Period } from '../../src/domain/period';
import { decideReserved } from '../../src/domain/reservation';
import { carriedOver, type FormerTerms, type QuotaTerms } from '../../src/domain/rollover';
import { reversalOf } from '../../src/domain/usage-reversal';
import { grant, question, source } from './access-cases';
import { entityUse, unitsOf } from './usage-entity-model';
import { START, UNIT, type Hold, type ModelTerms, type Person, type Use } from './usage-rows';

/**
 * Rows as the service stores them: events, reversals, grants and reservations, without counters. Each decision adds
 * up the remaining units from all rows, so that they cannot drift.
 */
export class UsageModel {
  now = START + DAY_MS / 2;
  readonly uses: Use[] = [];
  holds: Hold[] = [];
  /** The existing entities. */
  readonly known = new Set<Person>();
  private readonly returned: { entity: Person; deductions: readonly Deduction[] }[] = [];
  private readonly grants: { id: string; amount: Decimal; expiresAt: number | null }[] = [];
  private readonly former: FormerTerms[] = [];
  /** The terms and the time since which they hold. */
  readonly history: { since: number; terms: ModelTerms }[];
  private holdsMade = 0;
  private readonly subscription = {
    startedAt: START,
    billingAnchor: START,
    timeZone: 'UTC',
    interval: 'month',
  } as const;

  constructor(public terms: ModelTerms) {
    this.history = [{ since: START, terms }];
  }

  grantCredits(units: number, days: number | null): void {
    const expiresAt = days === null ? null : this.now + days * DAY_MS;
    this.grants.push({ id: `grant_${this.grants.length}`, amount: BigInt(units) * UNIT, expiresAt });
  }

  /** Changes the terms from now on. */
  change(terms: ModelTerms): void {
    this.former.push({ ...this.present(), until: this.now });
    this.history.push({ since: this.now, terms });
    this.terms = terms;
  }

  pass(days: number): void {
    this.now += days * DAY_MS;
  }

  /** Returns the time of a use so many days ago, but never before the subscription's start. */
  timeOf(daysAgo: number): number {
    return Math.max(this.now - daysAgo * DAY_MS, START);
  }

  track(entity: Person, quantity: Decimal, daysAgo: number): AccessDecision {
    const question = this.question(entity, quantity, this.timeOf(daysAgo));
    const decision = decideAccess(question);
    if (decision.allowed) this.use(question, entity, decision);
    return decision;
  }

  reserve(entity: Person, quantity: Decimal, days: number): AccessDecision {
    const decision = decideAccess(this.question(entity, quantity, this.now));
    if (decision.allowed) {
      this.known.add(entity);
      this.holdsMade += 1;
      const expiresAt = this.now + days * DAY_MS;
      this.holds.push({ id: this.holdsMade, entity, deductions: decision.deductions, expiresAt });
    }
    return decision;
  }

  confirm(hold: Hold, quantity: Decimal): AccessDecision {
    const question = this.question(hold.entity, quantity, this.now);
    const decision = decideReserved(question, hold.deductions);
    if (decision.allowed) {
      this.release(hold);
      this.use(question, hold.entity, decision);
    }
    return decision;
  }

  private use(question: AccessQuestion, entity: Person, { deductions }: AccessDecision): void {
    if (makesEntity(question)) this.known.add(entity);
    this.uses.push({ entity, deductions, isReversed: false });
  }

  release(hold: Hold): void {
    this.holds = this.holds.filter(({ id }) => id !== hold.id);
  }

  reverse(use: Use, quantity: Decimal): void {
    use.isReversed = true;
    this.returned.push({ entity: use.entity, deductions: reversalOf(use.deductions, quantity) });
  }

  live(): Hold[] {
    return this.holds.filter(({ expiresAt }) => expiresAt > this.now);
  }

  /** Returns the units taken, less those returned. */
  taken(of: (deduction: Deduction) => boolean, by?: Person): Decimal {
    return unitsOf(this.uses, of, by) - unitsOf(this.returned, of, by);
  }

  /** Returns the spent credits of a grant. */
  spent(grantId: string): Decimal {
    const credits = (list: readonly Deduction[]): Decimal =>
      list.reduce(
        (sum, one) => sum + (one.from === 'credits' && one.grantId === grantId ? one.credits : 0n),
        0n,
      );
    const [spent, back] = [this.uses, this.returned].map((all) =>
      all.flatMap(({ deductions }) => deductions),
    );
    return credits(spent ?? []) - credits(back ?? []);
  }

  grantAmounts(): { id: string; amount: Decimal; expiresAt: number | null }[] {
    return this.grants;
  }

  /** Returns the units used of the quota of the period that begins at `start`, in that period and later. */
  usedOfQuota(start: number): Decimal {
    return this.taken((one) => this.isOfQuota(one, start));
  }

  heldOfQuota(start: number): Decimal {
    return this.held((one) => this.isOfQuota(one, start));
  }

  /** Returns the credits of a grant that reservations hold. */
  heldCredits(grantId: string): Decimal {
    return this.live()
      .flatMap(({ deductions }) => deductions)
      .reduce((sum, one) => sum + (one.from === 'credits' && one.grantId === grantId ? one.credits : 0n), 0n);
  }

  /** Returns the units that reservations hold. */
  held(of: (deduction: Deduction) => boolean, by?: Person): Decimal {
    return unitsOf(this.live(), of, by);
  }

  question(entity: Person, quantity: Decimal, at: number): AccessQuestion {
    const credits = this.grants
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > this.now)
      .map(({ id, amount, expiresAt }): CreditBalance => {
        return { ...grant(id, '0', expiresAt), remaining: amount - this.spent(id) };
      });
    const held = this.live().flatMap(({ deductions }) => deductions);
    const own = withHeld(this.source(usagePeriod(this.subscription, 'day', at)), held);
    const left = applyHold([], credits, held, 1n);
    const sources = [{ ...own, entity: entityUse(this, entity, own.period.start) }];
    const asking = { id: entity, isNew: !this.known.has(entity), count: this.known.size };
    return question({ quantity, sources, credits: left.credits, now: this.now, entity: asking });
  }

  private present(): QuotaTerms {
    const { quota, rollover } = this.terms;
    return { quota, resetInterval: 'day', rollsOver: rollover.periods > 0 };
  }

  private source(period: Period): AccessSource {
    const { start } = period;
    const { rollover, soft, quota, entityQuota, entityLimit } = this.terms;
    const carried = carriedOver({
      subscription: this.subscription,
      period,
      terms: rollover,
      present: this.present(),
      former: this.former,
      use: (from) => ({
        used: this.taken((one) => one.from === 'quota' && one.periodStart === from),
        usedLater: this.taken((one) => one.from === 'rollover' && one.originStart === from),
      }),
    });
    const rolled = this.taken((one) => one.from === 'rollover' && one.periodStart === start);
    return source({
      quota,
      quotaUsed: this.taken((one) => one.from === 'quota' && one.periodStart === start),
      used: this.taken((one) => one.periodStart === start),
      usedLater: this.taken((one) => one.from === 'rollover' && one.originStart === start),
      carried,
      carriedLimit: rollover.most === null ? null : rollover.most - rolled,
      carriedFirst: rollover.first,
      enforcement: soft ? 'soft' : 'hard',
      creditCost: UNIT / 2n,
      period,
      entityQuota,
      entityLimit,
    });
  }

  private isOfQuota(one: Deduction, start: number): boolean {
    return one.from === 'quota'
      ? one.periodStart === start
      : one.from === 'rollover' && one.originStart === start;
  }
}
