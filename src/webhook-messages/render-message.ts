import type { Clock } from '../clock/system-clock';
import { readClockOffset } from '../clock/sandbox-clock-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { WorkspaceScope } from '../tenancy/actor';
import { payloadOf } from './message-payload';
import { lockMessage, lockMessagesThatAreFree, savePayloads, type MessageRow } from './message-store';
import { readData } from './read-data';

/** What is sent for a message, byte for byte: JSON text. */
export type RenderMessage = (scope: WorkspaceScope, messageId: string) => Promise<string>;

/** The same for some of a tenant's messages: the texts by id. Those that somebody else has hold of are left out. */
export type RenderMessages = (
  scope: WorkspaceScope,
  messageIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** Its time of being kept ended while it was waited for. */
class MessageGoneError extends Error {
  override name = 'MessageGoneError';
}

/** The text of a message that was there a moment ago; null where it is gone meanwhile. */
export async function renderUnlessGone(
  render: RenderMessage,
  scope: WorkspaceScope,
  messageId: string,
): Promise<string | null> {
  try {
    return await render(scope, messageId);
  } catch (error) {
    if (error instanceof MessageGoneError) return null;
    throw error;
  }
}

interface RenderDependencies {
  database: Database;
  clock: Clock;
}

/**
 * Renders a message once: its resource as the API reads it at that moment. Whoever comes later gets the same text, from
 * whichever process; those that come at once wait for the first. A customer's erasure takes the text away, and the next
 * to come renders what is left.
 *
 * @throws MessageGoneError where there is no such message
 */
export function createRenderMessage({ database, clock }: RenderDependencies): RenderMessage {
  return (scope, messageId) =>
    inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      // The lock comes before the resource is read: an erasure that has blanked it waits for what was read before.
      const message = await lockMessage(trx, scope, messageId);
      const text = message && (await renderLocked(trx, scope, clock, [message])).get(messageId);
      if (text === undefined) throw new MessageGoneError(`There is no message ${messageId}.`);
      return text;
    });
}

/**
 * Renders messages in one transaction, which costs each a part of what one alone costs. It waits for nobody: an erasure
 * locks many messages in an order of its own.
 */
export function createRenderMessages({ database, clock }: RenderDependencies): RenderMessages {
  return (scope, messageIds) =>
    inWorkspace(database, scope, 'SYSTEM', async (trx) =>
      renderLocked(trx, scope, clock, await lockMessagesThatAreFree(trx, scope, messageIds)),
    );
}

/** Those that have no text yet get one. @returns the texts by id */
async function renderLocked(
  trx: DbTransaction,
  scope: WorkspaceScope,
  clock: Clock,
  messages: readonly MessageRow[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const rendered = new Map<string, string>();
  const realNow = clock.now();
  const times = { now: realNow + (await readClockOffset(trx, scope)), realNow };
  for (const message of messages) {
    const text = message.payload ?? payloadOf(message, await readData(trx, scope, message, times));
    texts.set(message.id, text);
    if (message.payload === null) rendered.set(message.id, text);
  }
  if (rendered.size > 0) await savePayloads(trx, scope, rendered);
  return texts;
}
