import { together, type Call } from '../db/calls';
import type { CreationPart } from '../pagination/page-by-creation';
import type { DbTransaction } from '../db/pools';
import type { Awaited } from '../domain/awaited';
import type { Instant } from '../domain/instant';
import type { SubscriptionStatus } from '../domain/subscription-types';
import type { WorkspaceScope } from '../tenancy/actor';
import { AWAITED_CONDITIONS } from './awaited-conditions';
import type { BilledSubscription } from './billed-subscription';
import {
  BILLED_COLUMNS,
  billedTables,
  READ_COLUMNS,
  subscriptionRowCall,
  toBilledSubscription,
  type ReadRow,
} from './billed-subscription-store';
import type { Provider } from '../domain/provider';

/** A subscription as billing uses it, with the columns that only read models need. */
export interface SubscriptionRow extends BilledSubscription {
  planName: string;
  createdAt: Instant;
  updatedAt: Instant;
}

const SELECT = `SELECT ${BILLED_COLUMNS}, ${READ_COLUMNS} ${billedTables()}`;

export interface SubscriptionFilter {
  status?: SubscriptionStatus;
  customerId?: string;
  externalId?: string;
  planId?: string;
  provider?: Provider;
  awaiting?: Awaited;
  preparation?: 'failed';
  drift?: 'found';
  /** Open subscriptions whose period ends within this range. */
  renewsFrom?: Instant;
  renewsTo?: Instant;
}

/** End of the current period, worded like its index. */
const BOUNDARY =
  "s.status IN ('trialing', 'active', 'past_due') AND LEAST(s.current_period_end, s.cancel_at)";

const CONDITIONS: Record<Exclude<keyof SubscriptionFilter, 'awaiting'>, string> = {
  status: 's.status = :status',
  customerId: 's.customer_id = :customerId',
  externalId: `s.customer_id = (
    SELECT id FROM tollgate.customers
     WHERE workspace_id = :workspaceId AND environment = :environment AND external_id = :externalId)`,
  planId: 's.plan_id = :planId',
  provider: 's.provider = :provider',
  // Worded like its index.
  preparation: "s.metadata -> 'nextCycleSync' ->> 'state' = 'failed'",
  drift: 's.drift IS NOT NULL',
  renewsFrom: `${BOUNDARY} >= :renewsFrom`,
  renewsTo: `${BOUNDARY} < :renewsTo`,
};

/**
 * Two conditions instead of a row comparison, because row-level security keeps a row comparison from using the index.
 */
const BEFORE = 's.created_at <= :createdAt AND (s.created_at < :createdAt OR s.id < :beforeId)';

const NEWEST_FIRST = 's.created_at DESC, s.id DESC';

/**
 * Lists subscriptions, newest first by creation and then id.
 *
 * @param page `before` is the creation and id of the previous page's last row
 */
export async function listSubscriptions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: SubscriptionFilter & CreationPart,
): Promise<SubscriptionRow[]> {
  const { limit, before, from, to, awaiting, renewsFrom, renewsTo, ...filter } = page;
  const conditions = Object.entries(CONDITIONS)
    .filter(([name]) => name in page)
    .map(([, condition]) => condition);
  if (awaiting !== undefined) conditions.push(AWAITED_CONDITIONS[awaiting]);
  if (from !== undefined) conditions.push('s.created_at >= :from');
  if (to !== undefined) conditions.push('s.created_at < :to');
  if (before !== undefined) conditions.push(BEFORE);
  const { rows } = await trx.raw<{ rows: ReadRow[] }>(pageOfSubscriptions(conditions, NEWEST_FIRST), {
    ...scope,
    ...filter,
    ...(from === undefined ? {} : { from: new Date(from) }),
    ...(to === undefined ? {} : { to: new Date(to) }),
    ...(renewsFrom === undefined ? {} : { renewsFrom: new Date(renewsFrom) }),
    ...(renewsTo === undefined ? {} : { renewsTo: new Date(renewsTo) }),
    limit,
    ...(before === undefined ? {} : { createdAt: new Date(before.createdAt), beforeId: before.id }),
  });
  return rows.map(toRow);
}

/**
 * Lists a customer's subscriptions, newest first: those that have not ended and, as far as the limit allows, the latest
 * of the others. A customer may have abandoned any number of checkouts since it subscribed.
 */
export async function listSubscriptionsOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  limit: number,
): Promise<SubscriptionRow[]> {
  const openFirst = `s.status IN ('cancelled', 'expired'), ${NEWEST_FIRST}`;
  const { rows } = await trx.raw<{ rows: ReadRow[] }>(
    pageOfSubscriptions([CONDITIONS.customerId], NEWEST_FIRST, openFirst),
    { ...scope, customerId, limit },
  );
  return rows.map(toRow);
}

/**
 * Selects the page's ids first, so that the joined tables are read only for its rows. The ids are an array, which finds
 * the rows by their key; as a table among so many joins they would be joined last, to all subscriptions.
 *
 * @param chosenBy the order in which rows are chosen up to the limit
 */
function pageOfSubscriptions(conditions: readonly string[], order: string, chosenBy = order): string {
  return `WITH page AS MATERIALIZED (
    SELECT s.id FROM tollgate.subscriptions s
     WHERE ${['s.workspace_id = :workspaceId AND s.environment = :environment', ...conditions].join(' AND ')}
     ORDER BY ${chosenBy} LIMIT :limit)
  ${SELECT} AND s.id = ANY (ARRAY(SELECT id FROM page)) ORDER BY ${order}`;
}

/**
 * Lists open subscriptions whose current period ends within a time range, earliest first.
 *
 * @param page `after` is the boundary and id of the previous page's last row
 */
export async function listSubscriptionsDue(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: { from: Instant; to: Instant; limit: number; after?: { at: Instant; id: string } },
): Promise<SubscriptionRow[]> {
  const { from, to, limit, after } = page;
  const first =
    after === undefined
      ? []
      : ['(LEAST(s.current_period_end, s.cancel_at) > :renewsFrom OR s.id > :afterId)'];
  const conditions = [CONDITIONS.renewsFrom, CONDITIONS.renewsTo, ...first];
  const { rows } = await trx.raw<{ rows: ReadRow[] }>(
    pageOfSubscriptions(conditions, 'LEAST(s.current_period_end, s.cancel_at), s.id'),
    {
      ...scope,
      renewsFrom: new Date(after?.at ?? from),
      renewsTo: new Date(to),
      limit,
      ...(after === undefined ? {} : { afterId: after.id }),
    },
  );
  return rows.map(toRow);
}

export async function findSubscription(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await together(trx, [findSubscriptionCall(scope, id)]);
  return row;
}

/** Builds the call of `findSubscription`. */
export function findSubscriptionCall(scope: WorkspaceScope, id: string): Call<SubscriptionRow | undefined> {
  const call = subscriptionRowCall(scope, id);
  return {
    ...call,
    read: (rows) => {
      const row = call.read(rows);
      return row === undefined ? undefined : toRow(row);
    },
  };
}

function toRow(row: ReadRow): SubscriptionRow {
  const { planName, createdAt, updatedAt } = row;
  return { ...toBilledSubscription(row), planName, createdAt, updatedAt };
}
