import { formatDecimal, parseDecimal, type Decimal } from '../domain/decimal';
import {
  applyDeductions,
  type AccessQuestion,
  type AccessSource,
  type CreditBalance,
  type Deduction,
} from '../domain/access';
import type { Instant } from '../domain/instant';
import { usagePeriod, type ResetInterval } from '../domain/period';
import { effectiveQuota } from '../domain/quota';
import { standingOf, type PastDuePolicy } from '../domain/subscription';
import type { ContextRow, Pair } from './usage-context-store';
import type { CounterChange, CreditChange, Tally } from './usage-write-store';

/** A source that knows its counter. */
interface CountedSource extends AccessSource {
  resetInterval: ResetInterval;
  /** The counter as it was read; all zero when this period has none yet. */
  was: Tally;
  tally: Tally;
}

/** What a batch knows about one pair, kept current from call to call. */
interface PairState {
  customerId: string | null;
  featureId: string | null;
  feature: { key: string; kind: 'metered' | 'boolean' } | null;
  standing: AccessQuestion['standing'];
  sources: CountedSource[];
}

const NOTHING: Tally = { quota: 0n, credits: 0n, overage: 0n };

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
    if (workspace?.grace_days == null) throw new Error('This workspace has no settings.');
    const policy = { graceDays: workspace.grace_days, expireAfterDays: workspace.expire_after_days };
    this.decidedAt = receivedAt + Number(workspace.clock_offset_ms);
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
      standing: state.standing,
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

function pairKey(pair: Pair): string {
  // A feature key has no control characters, so the first one ends it.
  return `${pair.feature}\n${pair.externalId}`;
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
    customerId: first?.customer_id ?? null,
    featureId: first?.feature_id ?? null,
    feature: first?.feature_kind == null ? null : { key: featureKey, kind: first.feature_kind },
    standing: 'none',
    sources: [],
  };
  for (const row of rows) {
    if (row.subscription_id === null) continue;
    const standing = standingOf(
      {
        status: row.status,
        provider: row.provider,
        cancelAtPeriodEnd: row.cancel_at_period_end,
        currentPeriodEnd: row.current_period_end,
        pastDueSince: row.past_due_since,
      },
      policy,
      now,
    );
    if (standing === 'active' || (standing === 'past_due' && state.standing === 'none'))
      state.standing = standing;
    if (standing === 'active' && row.entitlement_id !== null)
      state.sources.push(sourceOf(row, row.subscription_id, now));
  }
  return state;
}

function sourceOf(row: ContextRow, subscriptionId: string, now: Instant): CountedSource {
  const period = usagePeriod(
    {
      startedAt: row.started_at,
      billingAnchor: row.billing_anchor,
      timeZone: row.time_zone,
      interval: row.billing_interval,
    },
    row.reset_interval,
    now,
  );
  // The counter that was read is the latest; one of an earlier period says nothing about this one.
  const was =
    row.counter_start === period.start
      ? {
          quota: parseDecimal(row.quota_used),
          credits: parseDecimal(row.credit_used),
          overage: parseDecimal(row.overage_used),
        }
      : NOTHING;
  return {
    subscriptionId,
    plan: { id: row.plan_id, slug: row.plan_slug },
    quota: effectiveQuota(row.quota === null ? null : parseDecimal(row.quota), row.per_seat, row.seats),
    quotaUsed: was.quota,
    used: was.quota + was.credits + was.overage,
    enforcement: row.enforcement,
    creditCost: row.credit_cost === null ? null : parseDecimal(row.credit_cost),
    period,
    resetInterval: row.reset_interval,
    was,
    tally: was,
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
    periodStart: new Date(source.period.start).toISOString(),
    ...(deduction.from === 'credits'
      ? { grantId: deduction.grantId, credits: formatDecimal(deduction.credits) }
      : {}),
  };
}
