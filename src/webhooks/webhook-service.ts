import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Clock } from '../clock/system-clock';
import { openConnection, type ConnectionOpening } from '../connections/open-connection';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import { omitUndefined } from '../schemas/omit-undefined';
import type { Actor } from '../tenancy/actor';
import { createRateLimitedLog } from '../telemetry/rate-limited-log';
import { createIngressLimiter } from './ingress-limiter';
import { createCandidateRateLimit } from './candidate-rate-limit';
import { createCandidates } from './candidates';
import { isVerifiedByProvider, type WebhookDelivery } from './delivery';
import { createWorkspaceQueues } from './workspace-queues';
import { receiveWebhook, type Received, type ReceiverOptions } from './receive-webhook';
import { createRefusalAudit } from './refusal-audit';
import { createRejectedCounter } from './rejected-counter';
import { listWebhookFailures } from './failure-store';
import {
  toWebhookFailureResource,
  type listWebhookFailuresQuery,
  type WebhookFailureResource,
} from './failure-resource';
import { replayWebhook } from './replay-webhook';
import { toWebhookResource, type listWebhooksQuery, type WebhookResource } from './webhook-resource';
import { findWebhook, listWebhooks } from './webhook-list-store';
import type { WebhookResult } from './reconcile/webhook-result';
import type { OpenAccess } from './verify-webhook';
import type { ProviderAdapters } from '../providers/provider-adapter';

export interface Webhooks {
  /**
   * Receives a provider's webhook. Answers after the commit; an error follows its audit.
   *
   * @param read reads the body after the webhook is admitted
   * @throws TollgateError webhook_throttled before the body is read; webhook_signature_invalid,
   *   webhook_environment_mismatch, webhook_unverifiable, webhook_processing_failed, service_busy, service_unavailable;
   *   the errors of `read`
   */
  receive(
    arrival: Omit<WebhookDelivery, 'bytes'> & { length: number | null },
    read: () => Promise<Buffer>,
  ): Promise<Received>;
  /** Lists webhooks, newest first. @throws TollgateError cursor_invalid */
  list(actor: Actor, query: z.output<typeof listWebhooksQuery>): Promise<Page<WebhookResource>>;
  /** Lists deliveries answered with an error, newest first. @throws TollgateError cursor_invalid */
  listFailures(
    actor: Actor,
    query: z.output<typeof listWebhookFailuresQuery>,
  ): Promise<Page<WebhookFailureResource>>;
  /** @throws TollgateError webhook_not_found */
  get(actor: Actor, id: string): Promise<WebhookResource>;
  /**
   * Processes a stored webhook again. A dry run changes nothing.
   *
   * @throws TollgateError webhook_not_found, webhook_not_replayable, webhook_unverifiable, service_busy,
   *   service_unavailable
   */
  replay(actor: Actor, id: string, run: { dryRun: boolean }): Promise<WebhookResult>;
  /** Writes the counts kept in memory. */
  stop(): Promise<void>;
}

/**
 * How many deliveries of one workspace are processed at once (fewer than the pool's connections), and how many may
 * wait.
 */
const WORKSPACE_LIMITS = { atOnce: 3, waiting: 100 };

export function createWebhooks(
  options: ConnectionOpening & {
    database: Database;
    /** The pool of incoming webhooks; operators' requests use the general one. */
    webhookDatabase: Database;
    cursorSecret: string;
    providerAdapters: ProviderAdapters;
    clock: Clock;
    log: Logger;
  },
): Webhooks {
  const { database, webhookDatabase, cursorSecret: secret, providerAdapters: adapters, clock, log } = options;
  const opener =
    (of: Database): OpenAccess =>
    async (scope, id) => {
      const opened = await inWorkspace(of, scope, 'SYSTEM', (trx: DbTransaction) =>
        openConnection(trx, options, scope, id),
      );
      return opened.access;
    };
  const limitedLog = createRateLimitedLog(log, clock);
  const incoming = { ...options, database: webhookDatabase, limitedLog };
  const rejected = createRejectedCounter(incoming);
  const ingress = createIngressLimiter({ clock, rejected });
  const receiver: ReceiverOptions = {
    database: webhookDatabase,
    adapters,
    openConnection: opener(webhookDatabase),
    candidates: createCandidates(incoming),
    rateLimit: createCandidateRateLimit(),
    refusalAudit: createRefusalAudit(incoming),
    queues: createWorkspaceQueues(WORKSPACE_LIMITS),
    clock,
    limitedLog,
  };
  return {
    async receive({ length, ...arrival }, read) {
      const admitted = ingress.admit({
        ...arrival,
        length,
        isVerifiedByProvider: isVerifiedByProvider(arrival),
      });
      try {
        return await receiveWebhook(receiver, { ...arrival, bytes: await read() }, admitted);
      } finally {
        admitted.release(false);
      }
    },

    stop: () => rejected.stop(),

    list: ({ scope, reason }, { take, cursor, from, to, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const page = await pageByCreation(
          { secret, scope, list: 'webhooks', filters, take, cursor, from, to },
          async (part) => {
            const rows = await listWebhooks(trx, scope, { ...omitUndefined(filters), ...part });
            return rows.map((row) => ({ ...row, createdAt: row.receivedAt }));
          },
        );
        return mapPage(page, toWebhookResource);
      }),

    listFailures: ({ scope, reason }, { take, cursor, from, to, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const page = await pageByCreation(
          { secret, scope, list: 'webhook_failures', filters, take, cursor, from, to },
          async (part) => {
            const rows = await listWebhookFailures(trx, scope, { ...omitUndefined(filters), ...part });
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

    replay: (actor, id, run) =>
      replayWebhook({ database, adapters, openConnection: opener(database), clock }, actor, id, run),
  };
}
