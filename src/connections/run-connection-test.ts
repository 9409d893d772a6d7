import type { PlanPriceResource } from '../catalog/plan-price-resource';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { ProviderAdapters } from '../providers/provider-adapter';
import type { Actor } from '../tenancy/actor';
import type { ConnectionTest } from './connection-resource';
import { readVersion, saveTestResult } from './connection-store';
import { openConnection, type ConnectionOpening } from './open-connection';
import { connectionNotFound } from './require-connection';
import { testConnection, withPlanPrices } from './test-connection';

/** Includes the real time at which the test begins. */
type Tester = Pick<Actor, 'scope' | 'reason' | 'receivedAt'>;

/** The dependencies for testing connections. */
export interface ConnectionTesting extends ConnectionOpening {
  database: Database;
  providerAdapters: ProviderAdapters;
  /** Reads the prices at the provider of the plans that the connection maps. */
  planPrices: { ofConnection(who: Tester, connectionId: string): Promise<PlanPriceResource[]> };
}

/**
 * Asks the provider whether the connection works, and saves the time and the failed checks, unless the connection was
 * changed or tested meanwhile.
 *
 * @throws TollgateError connection_not_found, connection_disabled, key_unavailable, credential_corrupt
 */
export async function runConnectionTest(
  testing: ConnectionTesting,
  who: Tester,
  id: string,
): Promise<ConnectionTest> {
  const { database, providerAdapters, planPrices } = testing;
  const { scope, reason, receivedAt: testedAt } = who;
  const { version, opened } = await inWorkspace(database, scope, reason, async (trx) => ({
    // Read before it is opened, so that this version or a later one is tested.
    version: await readVersion(trx, scope, id),
    opened: await openConnection(trx, testing, scope, id),
  }));
  if (version === undefined) throw connectionNotFound(id);
  // No database connection is held during a call to another service.
  const tested = await testConnection({ ...opened, adapter: providerAdapters[opened.provider] });
  // Without valid credentials, a price could not be read either.
  const works = tested.checks.every(({ check, ok }) => check !== 'authentication' || ok);
  const result = withPlanPrices(tested, works ? await planPrices.ofConnection(who, id) : null);
  const failed = result.checks.filter(({ ok }) => !ok).map(({ check }) => check);
  await inWorkspace(database, scope, reason, (trx) =>
    saveTestResult(trx, scope, id, { testedAt, failed }, version),
  );
  return result;
}
