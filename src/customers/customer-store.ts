import { createdWithin } from '../db/created-within';
import { dateOrNull } from '../db/parameters';
import type { IdPart } from '../pagination/page-by-id';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { Metadata } from '../schemas/metadata';
import type { WorkspaceScope } from '../tenancy/actor';

export interface CustomerRow {
  id: string;
  externalId: string;
  name: string | null;
  email: string | null;
  metadata: Metadata;
  /** Percentages of its quotas to notify; null: the entitlement's or the workspace's. */
  usageAlertPercents: number[] | null;
  /** When its erasure began (real time); null if it was not erased. */
  erasedAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
}

/** Changes to a customer; a missing member keeps its value. */
export interface CustomerChange {
  name?: string | null;
  email?: string | null;
  metadata?: Metadata;
  usageAlertPercents?: number[] | null;
}

const COLUMNS = {
  id: 'id',
  externalId: 'external_id',
  name: 'name',
  email: 'email',
  metadata: 'metadata',
  usageAlertPercents: 'usage_alert_percents',
  erasedAt: 'erased_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} satisfies Partial<Record<keyof CustomerRow, string>>;

/** How many of the newest customers a search reads before it looks up all that match. */
const SEARCHED_FIRST = 2_000;

const MATCHES = `(starts_with(external_id, :search) OR starts_with(lower(name), lower(:search))
  OR starts_with(lower(email), lower(:search)))`;

/**
 * Lists customers, newest first. Returns one row more than a page, to show whether another page follows.
 *
 * A search that many customers match finds its page among the newest. Otherwise the indexes find all that match.
 *
 * @param page `search` is the beginning of an external id (case-sensitive), or of a name or an address (any case)
 */
export async function listCustomers(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { search, ...page }: IdPart & { search?: string },
): Promise<CustomerRow[]> {
  const limit = page.take + 1;
  if (search === undefined) return newestCustomers(trx, scope, page, limit).select<CustomerRow[]>(COLUMNS);
  const rows = await trx
    .from(newestCustomers(trx, scope, page, SEARCHED_FIRST).select('*').as('newest'))
    .whereRaw(MATCHES, { search })
    .orderBy('id', 'desc')
    .limit(limit)
    .select<CustomerRow[]>(COLUMNS);
  return rows.length === limit ? rows : findMatching(trx, scope, { ...page, search });
}

async function findMatching(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { search, take, before, from, to }: IdPart & { search: string },
): Promise<CustomerRow[]> {
  const matching = {
    search,
    before: before ?? null,
    limit: take + 1,
    from: dateOrNull(from ?? null),
    to: dateOrNull(to ?? null),
  };
  // An array finds the rows by their key; a table could be joined to all customers.
  return trx('tollgate.customers')
    .where(tenantColumns(scope))
    .whereRaw(
      'id = ANY (ARRAY(SELECT id FROM tollgate.find_customers(:search, :from, :to, :before, :limit)))',
      matching,
    )
    .orderBy('id', 'desc')
    .select<CustomerRow[]>(COLUMNS);
}

/** Selects the newest customers of a page's range. */
function newestCustomers(trx: DbTransaction, scope: WorkspaceScope, page: IdPart, limit: number) {
  const query = trx('tollgate.customers').where(tenantColumns(scope)).orderBy('id', 'desc').limit(limit);
  createdWithin(query, 'created_at', page);
  if (page.before !== undefined) void query.where('id', '<', page.before);
  return query;
}

/** Lists the customers with these ids, in no particular order. */
export async function listCustomersNamed(
  trx: DbTransaction,
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<CustomerRow[]> {
  return trx('tollgate.customers')
    .where(tenantColumns(scope))
    .whereIn('id', [...ids])
    .select<CustomerRow[]>(COLUMNS);
}

/** @param lock `lock` keeps the customer from being changed until the transaction ends */
export async function findCustomer(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customer: { id: string } | { externalId: string },
  lock: 'lock' | 'read' = 'read',
): Promise<CustomerRow | undefined> {
  const name = 'id' in customer ? { id: customer.id } : { external_id: customer.externalId };
  const query = trx('tollgate.customers').where({ ...tenantColumns(scope), ...name });
  if (lock === 'lock') void query.forNoKeyUpdate();
  return query.first<CustomerRow | undefined>(COLUMNS);
}

/** Fails on the unique index if a customer has the same external id. */
export async function insertCustomer(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customer: CustomerRow,
): Promise<void> {
  await trx('tollgate.customers').insert(toColumns(scope, customer));
}

/**
 * Finds the customer and keeps it from being erased until the transaction ends. Code that writes rows referring to a
 * customer obtains it from here.
 *
 * @throws TollgateError customer_not_found, customer_erased
 */
export async function holdCustomer(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customer: { id: string } | { externalId: string },
): Promise<CustomerRow> {
  const [name, value] = 'id' in customer ? ['id', customer.id] : ['external_id', customer.externalId];
  const found = await trx('tollgate.customers')
    .where({ ...tenantColumns(scope), [name]: value })
    .forKeyShare()
    .first<CustomerRow | undefined>(COLUMNS);
  return refuseErased(requireCustomer(found, value));
}

/** @throws TollgateError customer_erased */
export function refuseErased(customer: CustomerRow): CustomerRow {
  if (customer.erasedAt === null) return customer;
  throw new TollgateError('customer_erased', `The customer "${customer.id}" was erased.`);
}

/** @returns the updated customer; undefined if there is none, or if it was erased */
export async function updateCustomer(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  change: CustomerChange & { updatedAt: Instant },
): Promise<CustomerRow | undefined> {
  const rows = await trx('tollgate.customers')
    .where({ ...tenantColumns(scope), id, erased_at: null })
    .update({ ...changedColumns(change), updated_at: new Date(change.updatedAt) })
    .returning(['id']);
  return rows.length === 0 ? undefined : findCustomer(trx, scope, { id });
}

/**
 * Creates the customer, or changes the one with the same external id. It is one statement, so that concurrent calls
 * create only one customer.
 *
 * @param fresh the customer if there is none yet
 * @param change what to change if there is one
 * @throws TollgateError customer_erased for a pseudonym
 */
export async function putCustomer(
  trx: DbTransaction,
  scope: WorkspaceScope,
  fresh: CustomerRow,
  change: CustomerChange,
): Promise<{ customer: CustomerRow; created: boolean }> {
  await trx('tollgate.customers')
    .insert(toColumns(scope, fresh))
    .onConflict(['workspace_id', 'environment', 'external_id'])
    .merge({ ...changedColumns(change), updated_at: new Date(fresh.updatedAt) })
    .whereNull('customers.erased_at');
  const customer = await findCustomer(trx, scope, { externalId: fresh.externalId });
  if (customer === undefined) throw new Error('A customer that was just written is missing.');
  return { customer: refuseErased(customer), created: customer.id === fresh.id };
}

function toColumns(scope: WorkspaceScope, customer: CustomerRow): Record<string, unknown> {
  return {
    ...tenantColumns(scope),
    id: customer.id,
    external_id: customer.externalId,
    name: customer.name,
    email: customer.email,
    metadata: JSON.stringify(customer.metadata),
    usage_alert_percents: customer.usageAlertPercents,
    created_at: new Date(customer.createdAt),
    updated_at: new Date(customer.updatedAt),
  };
}

function changedColumns({
  name,
  email,
  metadata,
  usageAlertPercents,
}: CustomerChange): Record<string, unknown> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
    ...(usageAlertPercents === undefined ? {} : { usage_alert_percents: usageAlertPercents }),
  };
}

/** @throws TollgateError customer_not_found */
export function requireCustomer(customer: CustomerRow | undefined, name: string): CustomerRow {
  if (customer !== undefined) return customer;
  throw new TollgateError('customer_not_found', `There is no customer "${name}" in this environment.`);
}

const COUNTRY = /^[A-Z]{2}$/i;

/**
 * Returns the customer's country for tax as ISO 3166-1 alpha-2, from its metadata (`country`, in either case); null if
 * unknown.
 */
export function countryOf({ metadata }: Pick<CustomerRow, 'metadata'>): string | null {
  const { country } = metadata;
  return typeof country === 'string' && COUNTRY.test(country) ? country.toUpperCase() : null;
}
