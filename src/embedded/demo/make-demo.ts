import { createPlanPrices } from '../../plan-prices/plan-price-service';
import { readPlanProviders } from '../../plan-prices/plan-providers';
import { rememberNamesOfConnection, rememberPricesOfPlan } from '../../plan-prices/remember-prices';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createApiKeys } from '../../api-keys/api-key-service';
import { createCatalog } from '../../catalog/create-catalog';
import { KEY_SCOPES } from '../../domain/key-scopes';
import { systemClock, type Clock } from '../../clock/system-clock';
import { createProviderConnections } from '../../connections/connection-service';
import { createKeyRing, type CredentialKeys } from '../../credentials/key-ring';
import { joinKeyRing } from '../../credentials/key-ring-runtime';
import { createCustomers } from '../../customers/customer-service';
import type { Database } from '../../db/pools';
import { tenantColumns } from '../../db/tenant-columns';
import { inOrganization, inWorkspace } from '../../db/workspace-transaction';
import type { Environment } from '../../domain/environment';
import { DAY_MS, type Instant } from '../../domain/instant';
import { makePartitions } from '../../events/partitions-store';
import { newIdentifier } from '../../identifiers/identifier';
import { createProviderAdapters } from '../../service/provider-adapters';
import { createSubscriptions } from '../../subscriptions/subscription-service';
import type { Actor } from '../../tenancy/actor';
import { createOperatorWithOrganization } from '../../organizations/create-operator';
import { createMemberships } from '../../organizations/membership-service';
import { findOrganization } from '../../organizations/organization-store';
import { findOperatorByEmail } from '../../operators/operator-store';
import { billDemoSubscriptions, cancelDemoSubscriptions } from './demo-billing';
import { makeDemoCatalogue } from './demo-catalogue';
import { connectDemoProviders, type DemoConnections } from './demo-connections';
import { makeDemoCustomers } from './demo-customers';
import { HISTORY_DAYS, makeDemoHistory } from './demo-history';

export const DEMO_EMAIL = 'demo@tollgate.example';

/** The catalogue existed a little before its first subscriber. */
const CATALOGUE_DAYS = HISTORY_DAYS + 15;

export interface DemoOptions {
  database: Database;
  pipelined: Pool;
  apiKeyPepper: string;
  /** Keys that seal the secrets of the demo's provider connections. */
  credentialKeys: CredentialKeys;
  operatorPassword: string;
  urls: Record<Environment, string>;
  clock: Clock;
  log: Logger;
}

export interface Demo {
  organizationId: string;
  sandboxKey: string;
  productionKey: string;
  connections: DemoConnections;
}

/**
 * Creates the demo's organization with its operator, catalogue, customers and history, unless it is complete already.
 * Always creates new keys for each environment and new secrets for the provider connections, because neither can be
 * read back.
 */
export async function makeDemo(options: DemoOptions): Promise<Demo> {
  const now = options.clock.now();
  const { database } = options;
  const organizationId = (await findDemoOrganization(database)) ?? (await makeOrganization(options, now));
  if (!(await isFilled(database, organizationId))) await fillOrganization(options, organizationId, now);
  const actorOf = (environment: Environment) => demoActor({ workspaceId: organizationId, environment }, now);
  const keys = createApiKeys({ ...options, cursorSecret: '' });
  const demoKey = { name: 'Demo', scopes: [...KEY_SCOPES] };
  const demo = {
    organizationId,
    sandboxKey: (await keys.create(actorOf('sandbox'), demoKey)).secret,
    productionKey: (await keys.create(actorOf('production'), demoKey)).secret,
    connections: await connectProviders(options, actorOf('sandbox')),
  };
  await keys.stop();
  return demo;
}

/**
 * Returns the organization that was created with the demo's operator, who may have joined or created others since;
 * undefined if there is no demo.
 */
export async function findDemoOrganization(database: Database): Promise<string | undefined> {
  const operator = await findOperatorByEmail(database, DEMO_EMAIL);
  if (operator === undefined) return undefined;
  for (const { workspaceId } of await createMemberships(database).of(operator.id)) {
    const organization = await inOrganization(database, workspaceId, 'SYSTEM', (trx) =>
      findOrganization(trx, workspaceId),
    );
    if (organization?.created_at === operator.created_at) return workspaceId;
  }
  return undefined;
}

async function connectProviders(options: DemoOptions, actor: Actor): Promise<DemoConnections> {
  const { database, urls, clock, log } = options;
  const keyRing = createKeyRing(options.credentialKeys);
  // The demo is created before the API has chosen the active key.
  const membership = await joinKeyRing({ database, keyRing, process: 'api', clock, log });
  try {
    const dependencies = {
      database,
      urls,
      keyRing,
      providerUrls: {},
      providerAdapters: createProviderAdapters(() => clock.now()),
      cursorSecret: '',
    };
    const connections = createProviderConnections({
      ...dependencies,
      planPrices: createPlanPrices(dependencies),
      rememberNames: rememberNamesOfConnection,
    });
    return await connectDemoProviders(connections, actor);
  } finally {
    await membership.leave();
  }
}

async function makeOrganization(options: DemoOptions, now: Instant): Promise<string> {
  const { organizationId } = await createOperatorWithOrganization(options.database, {
    email: DEMO_EMAIL,
    name: 'Demo Operator',
    password: options.operatorPassword,
    organization: 'Tollgate Demo',
    isPlatformAdministrator: true,
    now: now - CATALOGUE_DAYS * DAY_MS,
  });
  return organizationId;
}

/** Whether the sandbox is complete. Keys are created last, so without one an earlier start was interrupted. */
function isFilled(database: Database, workspaceId: string): Promise<boolean> {
  return hasRow(database, { workspaceId, environment: 'sandbox' }, 'tollgate.api_keys');
}

/**
 * Fills the organization. Its sandbox is empty, because `clearUnfinishedDemo` has removed what an interrupted start
 * left.
 */
async function fillOrganization(options: DemoOptions, workspaceId: string, now: Instant): Promise<void> {
  const { database } = options;
  const production = { workspaceId, environment: 'production' } as const;
  if (!(await hasRow(database, production, 'tollgate.plan_groups')))
    await database.transaction((trx) => makeCatalogue(trx, production, now));
  await fillDemoSandbox(options, workspaceId, now);
}

function hasRow(database: Database, scope: Actor['scope'], table: string): Promise<boolean> {
  return inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    const row: unknown = await trx(table).where(tenantColumns(scope)).first('id');
    return row !== undefined;
  });
}

/** Fills the sandbox of the demo's organization: its catalogue, its customers, and their activity until now. */
export async function fillDemoSandbox(
  { database, pipelined }: Pick<DemoOptions, 'database' | 'pipelined'>,
  organizationId: string,
  now: Instant,
): Promise<void> {
  const sandbox = { workspaceId: organizationId, environment: 'sandbox' } as const;
  const actorAt = (instant: Instant): Actor => demoActor(sandbox, instant);
  await makeCatalogue(database, sandbox, now);
  // One transaction, because a running worker must not see subscriptions before their payments: it would let last
  // month's expire.
  await database.transaction(async (trx) => {
    const features = { database: trx, cursorSecret: '' };
    const made = { customers: createCustomers(features), subscriptions: createSubscriptions(features) };
    await makeDemoCustomers(made, actorAt, now);
    await inWorkspace(trx, sandbox, 'SYSTEM', (inner) => billDemoSubscriptions(inner, actorAt, now));
  });
  await makeDemoHistory(pipelined, sandbox, now);
  await inWorkspace(database, sandbox, 'SYSTEM', (trx) => cancelDemoSubscriptions(trx, actorAt, now));
}

/** Creates the partitions for the events of the demo's history. @param migratorUrl the schema's owner */
export async function makeDemoPartitions(migratorUrl: string): Promise<void> {
  const from = systemClock.now() - (HISTORY_DAYS + 16) * DAY_MS;
  await makePartitions(migratorUrl, { from, days: HISTORY_DAYS + 17 });
}

async function makeCatalogue(database: Database, scope: Actor['scope'], now: Instant): Promise<void> {
  const catalog = createCatalog({
    database,
    cursorSecret: '',
    rememberPrices: rememberPricesOfPlan,
    readPlanProviders,
  });
  await makeDemoCatalogue(catalog, demoActor(scope, now - CATALOGUE_DAYS * DAY_MS));
}

function demoActor(scope: Actor['scope'], at: Instant): Actor {
  return {
    scope,
    reason: 'SYSTEM',
    operatorId: null,
    apiKeyId: null,
    ip: null,
    requestId: newIdentifier('request'),
    receivedAt: at,
    now: at,
  };
}
