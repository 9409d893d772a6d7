import type { Logger } from 'pino';
import type { WorkspaceScope } from '../tenancy/actor';
import type { RenderMessages } from '../webhook-messages/render-message';
import type { ClaimedDelivery } from './outgoing-store';

/** Messages rendered in one transaction. An erasure waits for their rows. */
const TOGETHER = 50;

/**
 * Renders the claimed messages that have no text yet, and returns the texts by message. Any message missing from the
 * result is rendered by its own attempt, so one that cannot be rendered fails alone.
 */
export async function renderTogether(
  render: RenderMessages,
  scope: WorkspaceScope,
  claimed: readonly ClaimedDelivery[],
  log: Logger,
): Promise<ReadonlyMap<string, string>> {
  const ids = [
    ...new Set(claimed.flatMap(({ payload, messageId }) => (payload === null ? [messageId] : []))),
  ];
  const texts = new Map<string, string>();
  if (ids.length < 2) return texts;
  try {
    for (let from = 0; from < ids.length; from += TOGETHER) {
      const some = await render(scope, ids.slice(from, from + TOGETHER));
      for (const [id, text] of some) texts.set(id, text);
    }
  } catch (error) {
    log.warn({ err: error, messages: ids.length }, 'messages are rendered one by one');
  }
  return texts;
}
