import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { toTime } from '../schemas/instant';
import { toEndpointResource } from '../webhook-endpoints/endpoint-resource';
import { requireEndpoint } from '../webhook-endpoints/endpoint-store';
import type { RenderMessage } from './make-attempt';
import { readMessage, storePayload } from './payload-store';

/** Renders messages about webhook endpoints, each once. @throws Error for a message about anything else */
export function createRenderMessage({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): RenderMessage {
  return (scope, messageId) =>
    inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      const message = await readMessage(trx, scope, messageId);
      if (message === undefined) throw new Error('it is gone');
      if (message.payload !== null) return message.payload;
      const { type, happenedAt, sequence, resourceKind, resourceId } = message;
      if (resourceKind !== 'webhook_endpoint') throw new Error(`nothing renders a ${resourceKind}`);
      const endpoint = await requireEndpoint(trx, scope, resourceId);
      const payload = JSON.stringify({
        type,
        timestamp: toTime(happenedAt),
        id: messageId,
        sequence: Number(sequence),
        resource: { type: resourceKind, id: resourceId },
        data: toEndpointResource(endpoint, clock.now()),
      });
      return storePayload(trx, scope, messageId, payload);
    });
}
