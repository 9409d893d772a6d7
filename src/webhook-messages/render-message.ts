import type { Clock } from '../clock/system-clock';
import { workspaceTime } from '../clock/sandbox-clock-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { WorkspaceScope } from '../tenancy/actor';
import { payloadOf } from './message-payload';
import { lockMessage, lockMessagesThatAreFree, savePayloads, type MessageRow } from './message-store';
import { readData } from './read-data';

/** Renders a message's payload: JSON text, byte for byte as sent. */
export type RenderMessage = (scope: WorkspaceScope, messageId: string) => Promise<string>;

/** Renders several messages of a tenant: the texts by id. Messages locked by another process are left out. */
export type RenderMessages = (
  scope: WorkspaceScope,
  messageIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** The message's retention ended while it was waited for. */
class MessageGoneError extends Error {
  override name = 'MessageGoneError';
}

/** Returns the text of a message that existed a moment ago; null if it has been deleted since. */
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
 * Renders a message once, with its resource as the API reads it at that moment. Later calls return the same text, from
 * any process; concurrent calls wait for the first. A customer's erasure removes the text, and the next call renders
 * what remains.
 *
 * @throws MessageGoneError if there is no such message
 */
export function createRenderMessage({ database, clock }: RenderDependencies): RenderMessage {
  return (scope, messageId) =>
    inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      // Locks the message before reading the resource: an erasure that has blanked the resource waits for earlier
      // reads.
      const message = await lockMessage(trx, scope, messageId);
      const text = message && (await renderLocked(trx, scope, clock, [message])).get(messageId);
      if (text === undefined) throw new MessageGoneError(`There is no message ${messageId}.`);
      return text;
    });
}

/**
 * Renders messages in one transaction, which costs less per message than rendering each alone. It does not wait for
 * locks, because an erasure locks many messages in an order of its own.
 */
export function createRenderMessages({ database, clock }: RenderDependencies): RenderMessages {
  return (scope, messageIds) =>
    inWorkspace(database, scope, 'SYSTEM', async (trx) =>
      renderLocked(trx, scope, clock, await lockMessagesThatAreFree(trx, scope, messageIds)),
    );
}

/** Renders the messages that have no text yet. @returns the texts of all by id */
async function renderLocked(
  trx: DbTransaction,
  scope: WorkspaceScope,
  clock: Clock,
  messages: readonly MessageRow[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const rendered = new Map<string, string>();
  const realNow = clock.now();
  const times = { now: await workspaceTime(trx, scope, realNow), realNow };
  for (const message of messages) {
    const text = message.payload ?? payloadOf(message, await readData(trx, scope, message, times));
    texts.set(message.id, text);
    if (message.payload === null) rendered.set(message.id, text);
  }
  if (rendered.size > 0) await savePayloads(trx, scope, rendered);
  return texts;
}
