import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import { changesWithin, dayOf, quarterOf, valuedChanges } from '../usage-history/usage-change-store';
import { readRollupState } from '../usage-history/rollup-state-store';
import { findingOf, findingOfAll, type Finding } from './finding-store';

/*
 * Checks of rolled-up usage against the uses and reversals before the watermark. Later usage is read from the uses
 * themselves, so there is nothing else to compare. Each statement sees one snapshot, even if usage is rolled up
 * concurrently.
 */

const CHANGES = changesWithin();
const DIFFERS = `(COALESCE(kept.quantity, 0), COALESCE(kept.events, 0)) <> (COALESCE(used.quantity, 0), COALESCE(used.events, 0))`;
const kept = (table: string): string =>
  `(SELECT * FROM tollgate.${table} WHERE workspace_id = :workspaceId AND environment = :environment) AS kept`;

/** Compares quarters of an hour, for each customer and feature, each feature, and the workspace. */
export function quarterDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH used AS (
       SELECT COALESCE(customer_id, '') AS customer_id, COALESCE(feature_id, '') AS feature_id, quarter,
              sum(quantity) AS quantity, sum(events) AS events
         FROM (SELECT customer_id, feature_id, ${quarterOf('at')} AS quarter, quantity, events FROM (${CHANGES}) AS c) AS q
        GROUP BY GROUPING SETS ((customer_id, feature_id, quarter), (feature_id, quarter), (quarter)))
     SELECT format('usage of customer %s, feature %s in the quarter of an hour from %s: sum %s of %s uses, the uses make %s of %s',
              COALESCE(NULLIF(customer_id, ''), '(all)'), COALESCE(NULLIF(feature_id, ''), '(all)'), quarter,
              kept.quantity, kept.events, used.quantity, used.events) AS example
       FROM ${kept('usage_quarters')} FULL JOIN used USING (customer_id, feature_id, quarter)
      WHERE ${DIFFERS}`,
  );
}

/** Compares UTC days of each customer. */
export function customerDayDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH used AS (
       SELECT customer_id, COALESCE(feature_id, '') AS feature_id, day, sum(quantity) AS quantity, sum(events) AS events
         FROM (SELECT customer_id, feature_id, ${dayOf('at')} AS day, quantity, events FROM (${CHANGES}) AS c) AS q
        GROUP BY GROUPING SETS ((customer_id, feature_id, day), (customer_id, day)))
     SELECT format('usage of customer %s, feature %s on the day from %s: sum %s of %s uses, the uses make %s of %s',
              customer_id, COALESCE(NULLIF(feature_id, ''), '(all)'), day,
              kept.quantity, kept.events, used.quantity, used.events) AS example
       FROM ${kept('usage_customer_days')} FULL JOIN used USING (customer_id, feature_id, day)
      WHERE ${DIFFERS}`,
  );
}

/** Compares UTC months of each customer; months are the sums of their days. */
export function customerMonthDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH used AS (
       SELECT customer_id, feature_id, date_trunc('month', day, 'UTC') AS month, sum(quantity) AS quantity, sum(events) AS events
         FROM tollgate.usage_customer_days WHERE workspace_id = :workspaceId AND environment = :environment GROUP BY 1, 2, 3)
     SELECT format('usage of customer %s, feature %s in the month from %s: sum %s of %s uses, its days make %s of %s',
              customer_id, COALESCE(NULLIF(feature_id, ''), '(all)'), month,
              kept.quantity, kept.events, used.quantity, used.events) AS example
       FROM ${kept('usage_customer_months')} FULL JOIN used USING (customer_id, feature_id, month)
      WHERE ${DIFFERS}`,
  );
}

/** Changes grouped by dimension, with the numbers of their values. */
const VALUED = `
  SELECT v.dimension_id, v.customer_id, COALESCE(u.number, 0) AS number, v.at, v.quantity, v.events
    FROM (${valuedChanges(CHANGES)}) AS v
    LEFT JOIN tollgate.usage_values u ON u.workspace_id = :workspaceId AND u.environment = :environment
         AND u.dimension_id = v.dimension_id AND u.value = v.value`;
/** Excludes dropped dimensions, whose rows are being deleted. */
const DECLARED = `dimension_id IN (SELECT id FROM tollgate.usage_dimensions
  WHERE workspace_id = :workspaceId AND environment = :environment AND NOT dropped)`;

/** Compares quarters of an hour by dimension, value and customer. */
export function valueQuarterDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH used AS (
       SELECT dimension_id, COALESCE(customer_id, '') AS customer_id, COALESCE(number, -1) AS number, quarter,
              sum(quantity) AS quantity, sum(events) AS events
         FROM (SELECT dimension_id, customer_id, number, ${quarterOf('at')} AS quarter, quantity, events FROM (${VALUED}) AS c) AS q
        GROUP BY GROUPING SETS ((dimension_id, customer_id, number, quarter), (dimension_id, number, quarter), (dimension_id, quarter)))
     SELECT format('usage of value %s of dimension %s, customer %s in the quarter of an hour from %s: sum %s of %s uses, the uses make %s of %s',
              number, dimension_id, COALESCE(NULLIF(customer_id, ''), '(all)'), quarter,
              kept.quantity, kept.events, used.quantity, used.events) AS example
       FROM ${kept('usage_value_quarters')} FULL JOIN used USING (dimension_id, customer_id, number, quarter)
      WHERE ${DIFFERS} AND ${DECLARED}`,
  );
}

/** Compares UTC days by dimension and value. */
export function valueDayDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `WITH used AS (
       SELECT dimension_id, number, ${dayOf('at')} AS day, sum(quantity) AS quantity, sum(events) AS events
         FROM (${VALUED}) AS c GROUP BY 1, 2, 3)
     SELECT format('usage of value %s of dimension %s on the day from %s: sum %s of %s uses, the uses make %s of %s',
              number, dimension_id, day, kept.quantity, kept.events, used.quantity, used.events) AS example
       FROM ${kept('usage_value_days')} FULL JOIN used USING (dimension_id, day, number)
      WHERE ${DIFFERS} AND ${DECLARED}`,
  );
}

/** Finds quarters of an hour in which the customers' sums do not add up to the workspace's. */
export function customerSumDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('usage in the quarter of an hour from %s: the workspace has %s, its features %s, its customers %s',
              quarter, whole, features, customers) AS example
       FROM (SELECT quarter, COALESCE(sum(quantity) FILTER (WHERE feature_id = ''), 0) AS whole,
                    COALESCE(sum(quantity) FILTER (WHERE customer_id = '' AND feature_id <> ''), 0) AS features,
                    COALESCE(sum(quantity) FILTER (WHERE customer_id <> ''), 0) AS customers
               FROM tollgate.usage_quarters WHERE workspace_id = :workspaceId AND environment = :environment
              GROUP BY quarter) AS s
      WHERE whole <> features OR whole <> customers`,
  );
}

/** Finds features whose declared dimensions differ from those their uses are grouped by. */
export function dimensionDifferences(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('feature %s: declares %s, is broken down by %s', f.id, f.names, d.names) AS example
       FROM (SELECT id, ARRAY(SELECT n FROM unnest(dimensions) AS n ORDER BY n COLLATE "C") AS names FROM tollgate.features
              WHERE workspace_id = :workspaceId AND environment = :environment) AS f
      CROSS JOIN LATERAL (
        SELECT ARRAY(SELECT name FROM tollgate.usage_dimensions
                      WHERE workspace_id = :workspaceId AND environment = :environment AND feature_id = f.id AND NOT dropped
                      ORDER BY name) AS names) AS d
      WHERE f.names <> d.names`,
  );
}

/** Reports rollups that are not used because another cluster created them. */
export async function foreignRollups(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  const state = await readRollupState(trx, scope);
  if (state === undefined || state.isOfThisCluster) return findingOfAll([]);
  return findingOfAll([
    'the sums of usage were computed by another cluster and are not used: run usage:rebuild',
  ]);
}
