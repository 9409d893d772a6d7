import type { Clock } from '../clock/system-clock';
import { readClockOffset } from '../clock/sandbox-clock-store';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { WorkspaceScope } from '../tenancy/actor';
import { payloadOf } from './message-payload';
import { lockMessage, savePayload } from './message-store';
import { readData } from './read-data';

/** What is sent for a message, byte for byte: JSON text. */
export type RenderMessage = (scope: WorkspaceScope, messageId: string) => Promise<string>;

/**
 * Renders a message once: its resource as the API reads it at that moment. Whoever comes later gets the same text, from
 * whichever process; those that come at once wait for the first. A customer's erasure takes the text away, and the next
 * to come renders what is left.
 *
 * @throws Error where there is no such message
 */
export function createRenderMessage({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): RenderMessage {
  return (scope, messageId) =>
    inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      // The lock comes before the resource is read: an erasure that has blanked it waits for what was read before.
      const message = await lockMessage(trx, scope, messageId);
      if (message === undefined) throw new Error(`There is no message ${messageId}.`);
      if (message.payload !== null) return message.payload;
      const realNow = clock.now();
      const now = realNow + (await readClockOffset(trx, scope));
      const payload = payloadOf(message, await readData(trx, scope, message, { now, realNow }));
      await savePayload(trx, scope, messageId, payload);
      return payload;
    });
}
