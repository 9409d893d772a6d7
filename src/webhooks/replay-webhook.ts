import { recordAudit } from '../audit/audit-store';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { failureError } from '../db/failure';
import { inWorkspace } from '../db/workspace-transaction';
import { isTollgateError, TollgateError } from '../domain/errors';
import { MalformedEventError, type CanonicalEvent } from '../providers/canonical-event';
import type { ProviderAdapter, ProviderAdapters } from '../providers/provider-adapter';
import type { Actor } from '../tenancy/actor';
import type { ConnectionRef } from '../connections/connection-ref';
import { applyEvent, type VerifiedEvent } from './apply-event';
import { fetchCurrent } from './reconcile/fetch-current';
import { findWebhook, type StoredWebhook } from './webhook-list-store';
import type { WebhookResult } from './reconcile/webhook-result';
import type { OpenAccess } from './verify-webhook';
import { inWebhookTransaction, retryWhenStale } from './webhook-transaction';

interface ReplayOptions {
  database: Database;
  adapters: ProviderAdapters;
  openConnection: OpenAccess;
  clock: Clock;
}

/** Rolls a dry run back and carries its result. */
class DryRunError extends Error {
  constructor(readonly result: WebhookResult) {
    super('A dry run is rolled back.');
  }
}

/**
 * Processes a stored webhook as if it arrived now: loads the provider's current facts and applies them. A dry run does
 * the same and rolls back.
 *
 * @throws TollgateError webhook_not_found, webhook_not_replayable, webhook_unverifiable, service_busy,
 *   service_unavailable
 */
export async function replayWebhook(
  options: ReplayOptions,
  actor: Actor,
  id: string,
  { dryRun }: { dryRun: boolean },
): Promise<WebhookResult> {
  const { database, clock } = options;
  const { scope, reason } = actor;
  const stored = await inWorkspace(database, scope, reason, (trx) => findWebhook(trx, scope, id, 'read'));
  if (stored === undefined) {
    throw new TollgateError('webhook_not_found', `There is no webhook "${id}" in this environment.`);
  }
  if (stored.erasedAt !== null) {
    const message = 'Its bytes were erased with the customer that it concerned.';
    throw new TollgateError('webhook_not_replayable', message);
  }
  const what = await prepare(options, { scope, id: stored.connectionId, provider: stored.provider }, stored);
  const verified: VerifiedEvent = { ...what, requestId: actor.requestId };
  try {
    return await retryWhenStale(async () => {
      const current = await fetchCurrent({ ...verified, database }, what.connection, what.event);
      return inWebhookTransaction(database, { scope, requestId: actor.requestId }, async (trx) => {
        await findWebhook(trx, scope, id, 'lock');
        const result = await applyEvent(trx, verified, current, id, clock.now());
        if (dryRun) throw new DryRunError(result);
        const { status, changes } = result;
        await recordAudit(trx, actor, {
          action: 'webhook.replayed',
          target: id,
          detail: { status, changes },
        });
        return result;
      });
    });
  } catch (error) {
    if (error instanceof DryRunError) return error.result;
    // The database’s own failure says nothing about the webhook, and a lost commit may have changed something.
    const known = failureError(error);
    if (isTollgateError(known)) throw known;
    throw new TollgateError('webhook_not_replayable', 'It failed again; nothing was changed.', {
      cause: error,
    });
  }
}

async function prepare(
  { adapters, openConnection }: ReplayOptions,
  connection: ConnectionRef,
  { body }: StoredWebhook,
) {
  const adapter = adapters[connection.provider];
  const access = await openConnection(connection.scope, connection.id);
  return { connection, access, adapter, event: readStored(adapter, body) };
}

/** Bytes that were an event on arrival may not be one to a later version. */
function readStored(adapter: ProviderAdapter, body: Buffer): CanonicalEvent {
  try {
    return adapter.readEvent(body);
  } catch (error) {
    if (!(error instanceof MalformedEventError)) throw error;
    throw new TollgateError('webhook_not_replayable', 'It is not a known event of the provider.', {
      cause: error,
    });
  }
}
