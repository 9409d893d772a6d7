import { formatDecimal, parseDecimal, type Decimal } from '../domain/decimal';
import { applyDeductions, type AccessQuestion, type CreditBalance, type Deduction } from '../domain/access';
import { isoText, type Instant } from '../domain/instant';
import type { PastDuePolicy } from '../domain/subscription';
import type { ReportingRules } from '../domain/time-of-use';
import type { CountedSource, Tally } from './counted-source';
import type { DatedUse } from './look-back';
import { PairState, type Sources } from './pair-state';
import type { UsageCall } from './usage-call';
import { pairKey, type ContextRow, type Pair } from './usage-context-store';
import type { CounterChange, CreditChange } from './usage-write-store';

/**
 * The balances that a batch of calls decides on: read once, then moved by each granted track, so that the next
 * call of the batch sees what the one before it left. What has moved is written at the end.
 */
export class UsageState {
  private readonly pairs = new Map<string, PairState>();
  private readonly credits = new Map<string, CreditBalance[]>();
  /** The workspace's time that this batch is decided at. */
  readonly decidedAt: Instant;
  readonly reporting: ReportingRules;
  private readonly spent = new Map<string, Decimal>();

  constructor(pairs: readonly Pair[], context: readonly ContextRow[], receivedAt: Instant) {
    const { policy, reporting, clockOffsetMs } = settingsOf(context[0]);
    this.decidedAt = receivedAt + clockOffsetMs;
    this.reporting = reporting;
    const rowsByPair: ContextRow[][] = pairs.map(() => []);
    for (const row of context) rowsByPair[Number(row.pair) - 1]?.push(row);
    pairs.forEach((pair, index) => {
      const rows = rowsByPair[index] ?? [];
      this.pairs.set(pairKey(pair), new PairState(pair.feature, rows, policy, this.decidedAt));
      if (!this.credits.has(pair.externalId))
        this.credits.set(pair.externalId, grantsOf(rows[0], this.decidedAt));
    });
  }

  find(pair: Pair): PairState | undefined {
    return this.pairs.get(pairKey(pair));
  }

  /**
   * The uses for which more than the context may have to be read: those whose caller says when they happened, and those
   * of pairs whose latest counter is of a usage period that has not begun.
   */
  datedUses(calls: readonly UsageCall[]): DatedUse[] {
    const uses: DatedUse[] = [];
    for (const call of calls) {
      const state = call.timestamp === null ? undefined : this.find(call);
      if (state !== undefined && call.timestamp !== null) uses.push({ state, at: call.timestamp });
    }
    for (const state of this.pairs.values()) {
      if (state.hasLaterCounter()) uses.push({ state, at: this.decidedAt });
    }
    return uses;
  }

  /** The question that a call asks, of a time of use; null: of the time of the decision. */
  question(
    pair: Pair,
    feature: AccessQuestion['feature'],
    { accessStatus, sources }: Sources,
    quantity: Decimal,
  ): AccessQuestion {
    const credits = this.credits.get(pair.externalId) ?? [];
    return { feature, quantity, sources, credits, accessStatus, now: this.decidedAt };
  }

  /** Moves the balances by a granted track, and answers its deductions as they are stored with the event. */
  deduct(
    pair: Pair,
    state: PairState,
    sources: readonly CountedSource[],
    deductions: readonly Deduction[],
  ): string {
    const left = applyDeductions(sources, this.credits.get(pair.externalId) ?? [], deductions);
    state.replace(sources, left.sources);
    if (left.credits.length > 0) this.credits.set(pair.externalId, left.credits);
    const stored = deductions.map((deduction) => {
      const source = left.sources.find((one) => one.subscriptionId === deduction.subscriptionId);
      if (source === undefined) throw new Error(`A deduction names no source: ${deduction.subscriptionId}`);
      source.tally = addToTally(source.tally, deduction);
      if (deduction.from === 'credits') {
        this.spent.set(deduction.grantId, (this.spent.get(deduction.grantId) ?? 0n) + deduction.credits);
      }
      return storedDeduction(deduction, source);
    });
    return JSON.stringify(stored);
  }

  /** The counters that have moved. */
  counterChanges(): CounterChange[] {
    const changes: CounterChange[] = [];
    for (const pair of this.pairs.values()) {
      const { customerId, featureId } = pair;
      if (customerId === null || featureId === null) continue;
      for (const source of pair.all()) {
        if (source.tally === source.was) continue;
        changes.push({
          customerId,
          featureId,
          subscriptionId: source.subscriptionId,
          resetInterval: source.resetInterval,
          periodStart: source.period.start,
          was: source.was,
          becomes: source.tally,
        });
      }
    }
    return changes;
  }

  /** The grants that have moved. */
  creditChanges(): CreditChange[] {
    const grants = [...this.credits.values()].flat();
    return grants.flatMap(({ grantId, remaining }) => {
      const spent = this.spent.get(grantId);
      return spent === undefined ? [] : [{ grantId, spent, remaining }];
    });
  }
}

function grantsOf(row: ContextRow | undefined, now: Instant): CreditBalance[] {
  return (row?.credits ?? [])
    .map((grant) => ({
      grantId: grant.id,
      remaining: parseDecimal(grant.remaining),
      expiresAt: grant.expiresAt === null ? null : Date.parse(grant.expiresAt),
    }))
    .filter((grant) => grant.expiresAt === null || grant.expiresAt > now);
}

function settingsOf(row: ContextRow | undefined): {
  policy: PastDuePolicy;
  reporting: ReportingRules;
  clockOffsetMs: number;
} {
  if (row === undefined) throw new Error('A batch has no context.');
  const { graceDays, expireAfterDays, reportedDays, graceMinutes } = row;
  if (graceDays === null || expireAfterDays === null || reportedDays === null || graceMinutes === null)
    throw new Error('This workspace has no settings.');
  return {
    policy: { graceDays, expireAfterDays },
    reporting: { reportedDays, graceMinutes },
    clockOffsetMs: Number(row.clockOffsetMs),
  };
}

function addToTally(tally: Tally, deduction: Deduction): Tally {
  return {
    quota: tally.quota + (deduction.from === 'quota' ? deduction.quantity : 0n),
    credits: tally.credits + (deduction.from === 'credits' ? deduction.quantity : 0n),
    overage: tally.overage + (deduction.from === 'overage' ? deduction.quantity : 0n),
  };
}

function storedDeduction(deduction: Deduction, source: CountedSource): Record<string, string> {
  return {
    from: deduction.from,
    quantity: formatDecimal(deduction.quantity),
    subscriptionId: source.subscriptionId,
    resetInterval: source.resetInterval,
    periodStart: isoText(source.period.start),
    ...(deduction.from === 'credits'
      ? { grantId: deduction.grantId, credits: formatDecimal(deduction.credits) }
      : {}),
  };
}
