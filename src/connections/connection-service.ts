import type { z } from 'zod';
import type { Database } from '../db/pools';
import { inWorkspace, inWorkspaceFor } from '../db/workspace-transaction';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import { mapPage, type Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
import type { PlanPriceResource } from '../catalog/plan-price-resource';
import type { ProviderAdapters } from '../providers/provider-adapter';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { changeConnection, createConnection, type RememberNames } from './change-connection';
import {
  type listConnectionsQuery,
  toConnectionResource,
  type ConnectionResource,
  type ConnectionTest,
  type CreateConnection,
  type UpdateConnection,
} from './connection-resource';
import {
  findConnection,
  listConnections,
  readVersion,
  saveTestResult,
  type ConnectionRow,
} from './connection-store';
import { openConnection, type ConnectionOpening } from './open-connection';
import { connectionNotFound } from './require-connection';
import { testConnection, withPlanPrices } from './test-connection';

/** A workspace's accounts at payment providers. Its responses never contain a secret or an envelope. */
export interface ProviderConnections {
  /** @throws TollgateError cursor_invalid */
  list(
    scope: WorkspaceScope,
    query: z.output<typeof listConnectionsQuery>,
  ): Promise<Page<ConnectionResource>>;
  /** @throws TollgateError connection_not_found */
  get(scope: WorkspaceScope, id: string): Promise<ConnectionResource>;
  /** @throws TollgateError validation_failed, secret_wrong_environment, key_unavailable */
  create(actor: Actor, input: CreateConnection): Promise<ConnectionResource>;
  /**
   * Changes the members that are sent. Without a secret the envelope is unchanged; with one, the whole set is encrypted
   * again.
   *
   * @throws TollgateError connection_not_found, validation_failed, secret_wrong_environment, key_unavailable,
   *   credential_corrupt
   */
  update(actor: Actor, id: string, input: UpdateConnection): Promise<ConnectionResource>;
  /**
   * Asks the provider whether the connection works; only the time and the failed checks are stored.
   *
   * @throws TollgateError connection_not_found, connection_disabled, key_unavailable, credential_corrupt
   */
  test(actor: Actor, id: string): Promise<ConnectionTest>;
}

/** Reads the prices at the provider of the plans that the connection maps. */
interface PricesAtConnection {
  ofConnection(actor: Actor, connectionId: string): Promise<PlanPriceResource[]>;
}

export function createProviderConnections(
  dependencies: ConnectionOpening & {
    database: Database;
    cursorSecret: string;
    urls: Record<Environment, string>;
    providerAdapters: ProviderAdapters;
    planPrices: PricesAtConnection;
    rememberNames: RememberNames;
    /** Called with the time of a sandbox that is ahead and gets a connection. */
    clockFollower?: (now: Instant) => Promise<void>;
  },
): ProviderConnections {
  const { database, cursorSecret: secret, urls, providerAdapters, planPrices, clockFollower } = dependencies;
  const toResource = (scope: WorkspaceScope, row: ConnectionRow): ConnectionResource =>
    toConnectionResource(row, urls[scope.environment], scope.workspaceId);

  return {
    async list(scope, { take, cursor, from, to, ...filters }) {
      const page = await inWorkspace(database, scope, 'OPERATOR', (trx) =>
        pageById({ secret, scope, list: 'provider-connections', filters, take, cursor, from, to }, (rows) =>
          listConnections(trx, scope, filters, rows),
        ),
      );
      return mapPage(page, (row) => toResource(scope, row));
    },

    async get(scope, id) {
      const row = await inWorkspace(database, scope, 'OPERATOR', (trx) => findConnection(trx, scope, id));
      if (row === undefined) throw connectionNotFound(id);
      return toResource(scope, row);
    },

    async create(actor, input) {
      const row = await inWorkspaceFor(database, actor, (trx) =>
        createConnection(trx, dependencies.keyRing, actor, input),
      );
      if (actor.now > actor.receivedAt) await clockFollower?.(actor.now);
      return toResource(actor.scope, row);
    },

    async update(actor, id, input) {
      const row = await inWorkspaceFor(database, actor, (trx) =>
        changeConnection(trx, dependencies, actor, id, input),
      );
      return toResource(actor.scope, row);
    },

    async test(actor, id) {
      const { scope } = actor;
      const { version, opened } = await inWorkspace(database, scope, actor.reason, async (trx) => ({
        // Read before it is opened, so that this version or a later one is tested.
        version: await readVersion(trx, scope, id),
        opened: await openConnection(trx, dependencies, scope, id),
      }));
      // No database connection is held during a call to another service.
      const tested = await testConnection(providerAdapters[opened.provider], opened);
      // Without valid credentials, a price could not be read either.
      const works = tested.checks.every(({ check, ok }) => check !== 'authentication' || ok);
      const result = withPlanPrices(tested, works ? await planPrices.ofConnection(actor, id) : null);
      const failed = result.checks.filter(({ ok }) => !ok).map(({ check }) => check);
      await inWorkspace(database, scope, actor.reason, (trx) =>
        saveTestResult(trx, scope, id, { testedAt: actor.receivedAt, failed }, version),
      );
      return result;
    },
  };
}
