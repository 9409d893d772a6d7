import { listPlansNamed, type PlanRow } from '../catalog/plan-store';
import { listAllConnections, type ConnectionRow } from '../connections/connection-store';
import { planReferenceOf } from '../connections/plan-reference';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { planReferencesOf } from '../providers/plan-references';
import type { WorkspaceScope } from '../tenancy/actor';
import { insertFormerPrices, type FormerPriceRow } from '../connections/former-price-store';

type NamingConnection = Pick<ConnectionRow, 'id' | 'provider' | 'settings'>;

/**
 * Records the references that an edit of a connection removes from plans, with the plans' prices, because a customer
 * who subscribed under one keeps that price at the provider. Runs in the transaction of the edit.
 */
export async function rememberNamesOfConnection(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: NamingConnection,
  settings: NamingConnection['settings'],
  now: Instant,
): Promise<void> {
  const names = changedNames(before.settings, settings);
  if (names.length === 0) return;
  const plans = await listPlansNamed(trx, scope, names);
  const left = plans.flatMap((plan) => leftBehind([before, plan], [{ ...before, settings }, plan]));
  await insertFormerPrices(trx, scope, left, now);
}

/** Returns the ids and slugs of plans whose reference an edit of the settings adds, changes or removes. */
function changedNames(before: NamingConnection['settings'], after: NamingConnection['settings']): string[] {
  const [was, is] = [planReferencesOf(before), planReferencesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
}

/** Remembers the prices that an edit of a plan replaces: its own, or those of the references in its metadata. */
export async function rememberPricesOfPlan(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: PlanRow,
  after: PlanRow,
  now: Instant,
): Promise<void> {
  const connections = await listAllConnections(trx, scope);
  const left = connections.flatMap((connection) => leftBehind([connection, before], [connection, after]));
  await insertFormerPrices(trx, scope, left, now);
}

type Mapping = [NamingConnection, PlanRow];

/** Returns a plan's former reference and price, if either has changed. */
function leftBehind(before: Mapping, after: Mapping): FormerPriceRow[] {
  const was = priceOf(before);
  if (was === null) return [];
  const is = priceOf(after);
  return is?.reference === was.reference && is.amount === was.amount ? [] : [was];
}

function priceOf([connection, plan]: Mapping): FormerPriceRow | null {
  const reference = planReferenceOf(connection, plan);
  if (reference === null) return null;
  return { connectionId: connection.id, planId: plan.id, reference, amount: BigInt(plan.priceAmount) };
}
