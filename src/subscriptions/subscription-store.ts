import { together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { SubscriptionStatus } from '../domain/subscription-types';
import type { WorkspaceScope } from '../tenancy/scope';
import type { BilledSubscription } from './billed-subscription';
import {
  BILLED_COLUMNS,
  BILLED_TABLES,
  READ_COLUMNS,
  subscriptionRowCall,
  toBilledSubscription,
  type ReadRow,
} from './billed-subscription-store';
import type { Provider } from '../domain/provider';

/** A subscription as billing works with it, and what only readers want to know. */
export interface SubscriptionRow extends BilledSubscription {
  planName: string;
  createdAt: Instant;
  updatedAt: Instant;
}

const SELECT = `SELECT ${BILLED_COLUMNS}, ${READ_COLUMNS} ${BILLED_TABLES}`;

export interface SubscriptionFilter {
  status?: SubscriptionStatus;
  customerId?: string;
  externalId?: string;
  planId?: string;
  provider?: Provider;
}

const CONDITIONS: Record<keyof SubscriptionFilter, string> = {
  status: 's.status = :status',
  customerId: 's.customer_id = :customerId',
  externalId: 'c.external_id = :externalId',
  planId: 's.plan_id = :planId',
  provider: 's.provider = :provider',
};

/** Two conditions rather than a row comparison, which row-level security keeps from the index. */
const BEFORE = 's.created_at <= :createdAt AND (s.created_at < :createdAt OR s.id < :beforeId)';

/**
 * Newest first, by creation and then id.
 *
 * @param page `before` is the creation and id of the last row of the page before
 */
export async function listSubscriptions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: SubscriptionFilter & { limit: number; before?: { createdAt: Instant; id: string } },
): Promise<SubscriptionRow[]> {
  const { limit, before, ...filter } = page;
  const conditions = Object.entries(CONDITIONS)
    .filter(([name]) => name in filter)
    .map(([, condition]) => condition);
  if (before !== undefined) conditions.push(BEFORE);
  const { rows } = await trx.raw<{ rows: ReadRow[] }>(
    `${[SELECT, ...conditions].join(' AND ')} ORDER BY s.created_at DESC, s.id DESC LIMIT :limit`,
    {
      ...scope,
      ...filter,
      limit,
      ...(before === undefined ? {} : { createdAt: new Date(before.createdAt), beforeId: before.id }),
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

/** The same as a call. */
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
