import { plainArray } from '../db/parameters';
import { rowsAs, type Call } from '../db/calls';
import { isoText, type Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import type { TermsRow } from './entitled-row-store';

/** A subscription's feature and an instant, of which the terms are read. */
export interface TermsKey {
  subscriptionId: string;
  featureId: string;
  at: Instant;
}

/** The first change of terms after the instant. */
export interface FoundTerms extends TermsRow {
  /** Position among the keys, from 1. */
  key: string;
}

/** Reads the terms at each of these instants; no row if they have not changed since. */
export function readTerms(scope: WorkspaceScope, keys: readonly TermsKey[]): Call<FoundTerms[]> {
  return {
    name: 'usage-terms',
    text: READ_TERMS,
    values: [
      scope.workspaceId,
      scope.environment,
      plainArray(keys.map(({ subscriptionId }) => subscriptionId)),
      plainArray(keys.map(({ featureId }) => featureId)),
      plainArray(keys.map(({ at }) => isoText(at))),
    ],
    read: rowsAs<FoundTerms>,
  };
}

const READ_TERMS = `
SELECT q.key, to_json(t.until) #>> '{}' AS until, t.quota::text AS quota, t.per_seat AS "perSeat", t.seats,
       t.reset_interval AS "resetInterval", t.rolls_over AS "rollsOver"
  FROM unnest($3::text[], $4::text[], $5::timestamptz[]) WITH ORDINALITY AS q (subscription_id, feature_id, at, key)
 CROSS JOIN LATERAL (
    SELECT * FROM tollgate.former_entitlement_terms
     WHERE workspace_id = $1 AND environment = $2 AND subscription_id = q.subscription_id AND feature_id = q.feature_id
       AND until > q.at
     ORDER BY until LIMIT 1) t`;

/** Returns a string that identifies the subscription and the feature of a key. */
export function subscriptionOf({ subscriptionId, featureId }: Omit<TermsKey, 'at'>): string {
  return `${subscriptionId} ${featureId}`;
}

/** Groups the rows by subscription and feature, under the name that `subscriptionOf` returns. */
export function termsOfEach(
  keys: readonly TermsKey[],
  rows: readonly FoundTerms[],
): Map<string, FoundTerms[]> {
  const found = new Map<string, FoundTerms[]>();
  for (const row of rows) {
    const key = keys[Number(row.key) - 1];
    if (key === undefined) continue;
    const name = subscriptionOf(key);
    found.set(name, [...(found.get(name) ?? []), row]);
  }
  return found;
}
