import { formatDecimal, parseDecimal, type Decimal } from '../domain/decimal';
import { applyDeductions, type AccessQuestion, type CreditBalance, type Deduction } from '../domain/access';
import { isoText, type Instant } from '../domain/instant';
import { accessStatusOf, type PastDuePolicy } from '../domain/subscription';
import { countedSource, type CountedSource, type Tally } from './counted-source';
import { pairKey, type ContextRow, type Pair } from './usage-context-store';
import type { CounterChange, CreditChange } from './usage-write-store';

/** What a batch knows about one pair, kept current from call to call. */
interface PairState {
  customerId: string | null;
  featureId: string | null;
  feature: { key: string; kind: 'metered' | 'boolean' } | null;
  accessStatus: AccessQuestion['accessStatus'];
  sources: CountedSource[];
}

/**
 * The balances that a batch of calls decides on: read once, then moved by each granted track, so that the next
 * call of the batch sees what the one before it left. What has moved is written at the end.
 */
export class UsageState {
  private readonly pairs = new Map<string, PairState>();
  private readonly credits = new Map<string, CreditBalance[]>();
  /** The workspace's time that this batch is decided at. */
  readonly decidedAt: Instant;
  private readonly spent = new Map<string, Decimal>();

  constructor(pairs: readonly Pair[], context: readonly ContextRow[], receivedAt: Instant) {
    const [workspace] = context;
    if (workspace === undefined || workspace.graceDays === null || workspace.expireAfterDays === null)
      throw new Error('This workspace has no settings.');
    const policy = { graceDays: workspace.graceDays, expireAfterDays: workspace.expireAfterDays };
    this.decidedAt = receivedAt + Number(workspace.clockOffsetMs);
    const rowsByPair: ContextRow[][] = pairs.map(() => []);
    for (const row of context) rowsByPair[Number(row.pair) - 1]?.push(row);
    pairs.forEach((pair, index) => {
      const rows = rowsByPair[index] ?? [];
      this.pairs.set(pairKey(pair), pairState(pair.feature, rows, policy, this.decidedAt));
      if (!this.credits.has(pair.externalId))
        this.credits.set(pair.externalId, grantsOf(rows[0], this.decidedAt));
    });
  }

  find(pair: Pair): PairState | undefined {
    return this.pairs.get(pairKey(pair));
  }

  question(
    pair: Pair,
    state: PairState & { feature: NonNullable<PairState['feature']> },
    quantity: Decimal,
  ): AccessQuestion {
    return {
      feature: state.feature,
      quantity,
      sources: state.sources,
      credits: this.credits.get(pair.externalId) ?? [],
      accessStatus: state.accessStatus,
    };
  }

  /** Moves the balances by a granted track, and answers its deductions as they are stored with the event. */
  deduct(pair: Pair, state: PairState, deductions: readonly Deduction[]): string {
    const left = applyDeductions(state.sources, this.credits.get(pair.externalId) ?? [], deductions);
    state.sources = left.sources;
    if (left.credits.length > 0) this.credits.set(pair.externalId, left.credits);
    const stored = deductions.map((deduction) => {
      const source = state.sources.find((one) => one.subscriptionId === deduction.subscriptionId);
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
    for (const { customerId, featureId, sources } of this.pairs.values()) {
      if (customerId === null || featureId === null) continue;
      for (const source of sources) {
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

function pairState(
  featureKey: string,
  rows: readonly ContextRow[],
  policy: PastDuePolicy,
  now: Instant,
): PairState {
  const first = rows[0];
  const state: PairState = {
    customerId: first?.customerId ?? null,
    featureId: first?.featureId ?? null,
    feature:
      first === undefined || first.featureKind === null ? null : { key: featureKey, kind: first.featureKind },
    accessStatus: 'none',
    sources: [],
  };
  for (const row of rows) {
    if (row.subscriptionId === null) continue;
    const accessStatus = accessStatusOf(row, policy, now);
    if (accessStatus === 'active' || (accessStatus === 'past_due' && state.accessStatus === 'none'))
      state.accessStatus = accessStatus;
    if (accessStatus === 'active' && row.entitlementId !== null) state.sources.push(countedSource(row, now));
  }
  return state;
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
