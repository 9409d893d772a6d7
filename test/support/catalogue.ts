import { HOUR_MS } from '../../src/domain/instant';
import { addMonths } from '../../src/domain/civil-date';
import { newIdentifier } from '../../src/identifiers/identifier';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import type { TestDatabase } from './database';

export interface EntitlementSeed {
  feature: string;
  kind?: 'metered' | 'boolean';
  quota?: number | null;
  perSeat?: boolean;
  resetInterval?: 'billing_period' | 'day' | 'week' | 'month' | 'year' | 'never';
  enforcement?: 'hard' | 'soft';
  creditCost?: number | null;
  /** Units for each entity. */
  entityQuota?: number;
  /** Usage periods for which unused quota rolls over, the maximum per period, and whether it is used first. */
  rollover?: { periods: number; max?: number; first?: boolean };
  alertPercents?: number[];
}

/** Inserts the rows that tests of check and track start from, by SQL as the superuser. */
export class CatalogueSeeder {
  constructor(
    private readonly database: TestDatabase,
    private readonly scope: WorkspaceScope,
  ) {}

  private async insert(table: string, row: Record<string, unknown>): Promise<void> {
    const full: Record<string, unknown> = {
      workspace_id: this.scope.workspaceId,
      environment: this.scope.environment,
      ...row,
    };
    const names = Object.keys(full);
    await this.database.query(
      `INSERT INTO tollgate.${table} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(full),
    );
  }

  async feature(key: string, kind: 'metered' | 'boolean' = 'metered'): Promise<string> {
    const [known] = await this.database.query<{ id: string }>(
      'SELECT id FROM tollgate.features WHERE workspace_id = $1 AND environment = $2 AND key = $3',
      [this.scope.workspaceId, this.scope.environment, key],
    );
    if (known !== undefined) return known.id;
    const id = newIdentifier('feature');
    await this.insert('features', {
      id,
      key,
      name: key,
      kind,
      created_at: new Date(),
      updated_at: new Date(),
    });
    return id;
  }

  /** Inserts a plan in its own group, so that a customer can hold several. `row` overrides the default columns. */
  async plan(
    slug: string,
    entitlements: readonly EntitlementSeed[],
    row: Record<string, unknown> & { plan_group_id?: string } = {},
  ): Promise<{ planId: string; planGroupId: string }> {
    const planGroupId = row.plan_group_id ?? newIdentifier('planGroup');
    const planId = newIdentifier('plan');
    const times = { created_at: new Date(), updated_at: new Date() };
    if (row.plan_group_id === undefined) {
      await this.insert('plan_groups', { id: planGroupId, slug: `group-${slug}`, name: slug, ...times });
    }
    await this.insert('plans', {
      id: planId,
      plan_group_id: planGroupId,
      slug,
      name: slug,
      price_amount: 2900,
      price_currency: 'USD',
      billing_interval: 'month',
      pricing: 'flat',
      trial_days: 0,
      metadata: '{}',
      ...times,
      ...row,
    });
    for (const seed of entitlements) await this.entitlement(planId, seed);
    return { planId, planGroupId };
  }

  async entitlement(planId: string, seed: EntitlementSeed): Promise<void> {
    const featureId = await this.feature(seed.feature, seed.kind);
    await this.insert('plan_entitlements', {
      id: newIdentifier('entitlement'),
      plan_id: planId,
      feature_id: featureId,
      quota: seed.quota ?? null,
      per_seat: seed.perSeat ?? false,
      reset_interval: seed.resetInterval ?? 'billing_period',
      enforcement: seed.enforcement ?? 'hard',
      credit_cost: seed.creditCost ?? null,
      entity_quota: seed.entityQuota ?? null,
      rollover_periods: seed.rollover?.periods ?? 0,
      rollover_max: seed.rollover?.max ?? null,
      rollover_first: seed.rollover?.first ?? false,
      alert_percents: seed.alertPercents ?? null,
      created_at: new Date(),
      updated_at: new Date(),
    });
  }

  async customer(externalId: string, metadata: Record<string, unknown> = {}): Promise<string> {
    const id = newIdentifier('customer');
    await this.insert('customers', {
      id,
      external_id: externalId,
      metadata: JSON.stringify(metadata),
      created_at: new Date(),
      updated_at: new Date(),
    });
    return id;
  }

  /** Inserts an active monthly subscription that starts at `anchor` (an hour ago by default). */
  async subscription(
    customerId: string,
    plan: { planId: string; planGroupId: string },
    row: Record<string, unknown> & { anchor?: number } = {},
  ): Promise<string> {
    const { anchor = Date.now() - HOUR_MS, ...rest } = row;
    const id = newIdentifier('subscription');
    const end = new Date(addMonths(anchor, 1));
    await this.insert('subscriptions', {
      id,
      customer_id: customerId,
      plan_group_id: plan.planGroupId,
      plan_id: plan.planId,
      provider: 'internal',
      status: 'active',
      seats: 1,
      unit_amount: 2900,
      currency: 'USD',
      billing_interval: 'month',
      pricing: 'flat',
      tax: '{"behavior":"none","rates":[]}',
      time_zone: 'UTC',
      started_at: new Date(anchor),
      billing_anchor: new Date(anchor),
      current_period_start: new Date(anchor),
      current_period_end: end,
      next_wake_at: end,
      metadata: '{}',
      created_at: new Date(anchor),
      updated_at: new Date(anchor),
      ...rest,
    });
    return id;
  }

  async credits(customerId: string, amount: number, expiresAt: Date | null = null): Promise<string> {
    const id = newIdentifier('creditGrant');
    await this.insert('credit_grants', {
      id,
      customer_id: customerId,
      amount,
      remaining: amount,
      expires_at: expiresAt,
      created_at: new Date(),
    });
    return id;
  }
}
