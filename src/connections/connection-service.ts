import type { z } from 'zod';
import { inWorkspace, inWorkspaceFor } from '../db/workspace-transaction';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import { mapPage, type Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
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
import { findConnection, listConnections, type ConnectionRow } from './connection-store';
import { connectionNotFound } from './require-connection';
import { runConnectionTest, type ConnectionTesting } from './run-connection-test';

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

export function createProviderConnections(
  dependencies: ConnectionTesting & {
    cursorSecret: string;
    urls: Record<Environment, string>;
    rememberNames: RememberNames;
    /** Called with the time of a sandbox that is ahead and gets a connection. */
    clockFollower?: (now: Instant) => Promise<void>;
  },
): ProviderConnections {
  const { database, cursorSecret: secret, urls, clockFollower } = dependencies;
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

    test: (actor, id) => runConnectionTest(dependencies, actor, id),
  };
}
