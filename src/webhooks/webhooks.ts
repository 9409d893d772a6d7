import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Clock } from '../clock/clock';
import { openConnection, type ConnectionOpening } from '../connections/open-connection';
import type { Database, Transaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import { given } from '../schemas/given';
import type { Actor } from '../tenancy/scope';
import { createCandidateLimits } from './candidate-limits';
import type { OpenConnection, WebhookAdapters } from './connection-ref';
import type { WebhookDelivery } from './delivery';
import { receiveWebhook, type Received } from './receive-webhook';
import { listWebhookFailures } from './failure-list-store';
import {
  toWebhookFailureResource,
  type listWebhookFailuresQuery,
  type WebhookFailureResource,
} from './failure-resource';
import { replayWebhook } from './replay';
import { toWebhookResource, type listWebhooksQuery, type WebhookResource } from './webhook-resource';
import { findWebhook, listWebhooks } from './webhook-list-store';
import type { WebhookResult } from './webhook-store';

export interface Webhooks {
  /**
   * Takes a provider's webhook in; the answer comes after the commit, and a failure after its audit.
   *
   * @throws TollgateError webhook_signature_invalid, webhook_environment_mismatch, webhook_unverifiable,
   *   webhook_processing_failed, service_busy, service_unavailable
   */
  receive(delivery: WebhookDelivery): Promise<Received>;
  /** Newest first. @throws TollgateError cursor_invalid */
  list(actor: Actor, query: z.output<typeof listWebhooksQuery>): Promise<Page<WebhookResource>>;
  /** Deliveries that were answered with an error; newest first. @throws TollgateError cursor_invalid */
  listFailures(
    actor: Actor,
    query: z.output<typeof listWebhookFailuresQuery>,
  ): Promise<Page<WebhookFailureResource>>;
  /** @throws TollgateError webhook_not_found */
  get(actor: Actor, id: string): Promise<WebhookResource>;
  /**
   * Processes a stored webhook as if it came now. A dry run changes nothing.
   *
   * @throws TollgateError webhook_not_found, webhook_not_replayable, webhook_unverifiable, service_busy
   */
  replay(actor: Actor, id: string, dryRun: boolean): Promise<WebhookResult>;
}

export function createWebhooks(
  options: ConnectionOpening & {
    database: Database;
    cursorSecret: string;
    providerAdapters: WebhookAdapters;
    clock: Clock;
    log: Logger;
  },
): Webhooks {
  const { database, cursorSecret: secret, providerAdapters: adapters, clock, log } = options;
  const open: OpenConnection = async (scope, id) => {
    const opened = await inWorkspace(database, scope, 'SYSTEM', (trx: Transaction) =>
      openConnection(trx, options, scope, id),
    );
    return opened.access;
  };
  const limits = createCandidateLimits();
  const shared = { database, adapters, openConnection: open, clock };
  return {
    receive: (delivery) => receiveWebhook({ ...shared, limits, log }, delivery),

    list: ({ scope, reason }, { take, cursor, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const page = await pageByCreation(
          { secret, scope, list: 'webhooks', filters, take, cursor },
          async (part) => {
            const rows = await listWebhooks(trx, scope, { ...given(filters), ...part });
            return rows.map((row) => ({ ...row, createdAt: row.receivedAt }));
          },
        );
        return mapPage(page, toWebhookResource);
      }),

    listFailures: ({ scope, reason }, { take, cursor, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const page = await pageByCreation(
          { secret, scope, list: 'webhook_failures', filters, take, cursor },
          async (part) => {
            const rows = await listWebhookFailures(trx, scope, { ...given(filters), ...part });
            return rows.map((row) => ({ ...row, createdAt: row.firstAt }));
          },
        );
        return mapPage(page, toWebhookFailureResource);
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const row = await findWebhook(trx, scope, id, 'read');
        if (row !== undefined) return toWebhookResource(row);
        throw new TollgateError('webhook_not_found', `There is no webhook "${id}" in this environment.`);
      }),

    replay: (actor, id, dryRun) => replayWebhook(shared, actor, id, dryRun),
  };
}
