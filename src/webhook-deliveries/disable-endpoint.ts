import { announceCall } from '../announcements/announcement-store';
import { workspaceTime } from '../clock/sandbox-clock-store';
import { together } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { recordDeveloperEvent } from '../events/developer-event-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { requireEndpoint, updateEndpoint } from '../webhook-endpoints/endpoint-store';

const MESSAGES = {
  failing: 'The webhook endpoint was disabled: for a week no attempt succeeded.',
  gone: 'The webhook endpoint was disabled: it answered 410 Gone.',
};

/**
 * Disables an endpoint because of how it answers, and announces it to the environment's other endpoints. @param now
 * real time
 */
export async function disableEndpoint(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  reason: 'failing' | 'gone',
  now: Instant,
): Promise<void> {
  await updateEndpoint(trx, scope, id, { disabled: { at: now, reason }, now });
  const { url } = await requireEndpoint(trx, scope, id);
  const happenedAt = await workspaceTime(trx, scope, now);
  const fact = {
    type: 'webhook_endpoint.disabled',
    resource: { kind: 'webhook_endpoint', id },
    happenedAt,
  } as const;
  await together(trx, [announceCall(scope, [fact], now)]);
  const event = {
    type: 'WEBHOOK_ENDPOINT_DISABLED',
    status: 'ERROR',
    message: MESSAGES[reason],
    source: 'webhooks',
    data: { webhookEndpointId: id, url, reason },
  } as const;
  await recordDeveloperEvent(trx, scope, event, now);
}
