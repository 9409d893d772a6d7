import { Model, snakeCaseMappers, type Modifiers, type Pojo, type RelationMappings } from 'objection';
import type { Enforcement } from '../../domain/access';
import type { Environment } from '../../domain/environment';
import type { Instant } from '../../domain/instant';
import type { ResetInterval } from '../../domain/period';
import type { BillingInterval, Pricing } from '../../domain/subscription';
import type { Metadata } from '../../schemas/metadata';

const TENANT = ['workspace_id', 'environment'];

/** Base of the catalogue's models. Properties are the columns in camelCase. */
abstract class CatalogModel extends Model {
  declare workspaceId: string;
  declare environment: Environment;
  declare id: string;
  declare createdAt: Instant;
  declare updatedAt: Instant;

  static override get idColumn(): string[] {
    return [...TENANT, 'id'];
  }

  static override columnNameMappers = snakeCaseMappers();

  /** Converts instants, which are numbers here and timestamptz in the database. */
  override $formatDatabaseJson(json: Pojo): Pojo {
    const row = super.$formatDatabaseJson(json);
    for (const [column, value] of Object.entries(row)) {
      if (column.endsWith('_at') && typeof value === 'number') row[column] = new Date(value);
    }
    return row;
  }
}

export class PlanGroup extends CatalogModel {
  declare slug: string;
  declare name: string;
  declare archivedAt: Instant | null;

  static override tableName = 'tollgate.plan_groups';
}

export class Feature extends CatalogModel {
  declare key: string;
  declare name: string;
  declare kind: 'metered' | 'boolean';
  declare unit: string | null;
  /** Names of up to three properties of its uses. */
  declare dimensions: string[];
  declare archivedAt: Instant | null;

  static override tableName = 'tollgate.features';
}

export class Plan extends CatalogModel {
  declare planGroupId: string;
  declare slug: string;
  declare name: string;
  /** Minor units per interval (and per seat), as text. */
  declare priceAmount: string;
  declare priceCurrency: string;
  declare billingInterval: BillingInterval;
  declare pricing: Pricing;
  declare trialDays: number;
  /** Number of entities that it allows a customer; null: any number. */
  declare entityLimit: number | null;
  declare metadata: Metadata;
  declare archivedAt: Instant | null;
  declare planGroup?: PlanGroup;
  declare entitlements?: PlanEntitlement[];

  static override tableName = 'tollgate.plans';
  static override jsonAttributes = ['metadata'];

  static override relationMappings = (): RelationMappings => ({
    planGroup: {
      relation: Model.BelongsToOneRelation,
      modelClass: PlanGroup,
      join: { from: keyOf(Plan, 'plan_group_id'), to: keyOf(PlanGroup, 'id') },
    },
    entitlements: {
      relation: Model.HasManyRelation,
      modelClass: PlanEntitlement,
      join: { from: keyOf(Plan, 'id'), to: keyOf(PlanEntitlement, 'plan_id') },
    },
  });
}

export class PlanEntitlement extends CatalogModel {
  declare planId: string;
  declare featureId: string;
  /** Decimal text; null is unlimited, and for a boolean feature. */
  declare quota: string | null;
  declare perSeat: boolean;
  declare resetInterval: ResetInterval;
  declare enforcement: Enforcement;
  /** Decimal text. */
  declare creditCost: string | null;
  declare rolloverPeriods: number;
  /** Decimal text. */
  declare rolloverMax: string | null;
  declare rolloverFirst: boolean;
  /** Decimal text: units per entity; null: entities have no quota of their own. */
  declare entityQuota: string | null;
  /** null: the workspace's. */
  declare alertPercents: number[] | null;
  declare feature?: Feature;

  static override tableName = 'tollgate.plan_entitlements';
  static override modifiers: Modifiers = {
    oldestFirst: (query) => void query.orderBy('id'),
  };

  static override relationMappings = (): RelationMappings => ({
    feature: {
      relation: Model.BelongsToOneRelation,
      modelClass: Feature,
      join: { from: keyOf(PlanEntitlement, 'feature_id'), to: keyOf(Feature, 'id') },
    },
  });
}

/** Every relation includes the tenant columns, like the foreign keys. */
function keyOf(model: { tableName: string }, column: string): string[] {
  return [...TENANT, column].map((name) => `${model.tableName}.${name}`);
}
