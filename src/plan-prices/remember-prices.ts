import { listPlans, type PlanRow } from '../catalog/plan-store';
import { listAllConnections, type ConnectionRow } from '../connections/connection-store';
import { planReferenceOf } from '../connections/plan-reference';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/scope';
import { insertFormerPrices, type FormerPriceRow } from './former-price-store';

type NamingConnection = Pick<ConnectionRow, 'id' | 'provider' | 'settings'>;

/** A workspace has a few plans; beyond so many the oldest are not remembered. */
const MOST = 10_000;

/**
 * Remembers the names that an edit of a connection takes from plans, with what the plans cost: who subscribed under one
 * keeps that price at the provider. Belongs into the transaction of the edit.
 */
export async function rememberNamesOfConnection(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: NamingConnection,
  settings: NamingConnection['settings'],
  now: Instant,
): Promise<void> {
  const plans = await listPlans(trx, scope, { take: MOST });
  const left = plans.flatMap((plan) => leftBehind([before, plan], [{ ...before, settings }, plan]));
  await insertFormerPrices(trx, scope, left, now);
}

/** The same for an edit of a plan: of its price, and of the names that it gives itself. */
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

/** What a plan was called and cost, where it is not so any more. */
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
