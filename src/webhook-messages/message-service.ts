import type { z } from 'zod';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import type { Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import { toTime } from '../schemas/instant';
import type { TransactionReason, WorkspaceScope } from '../tenancy/actor';
import { webhookPayloadSchema, type listWebhookMessagesQuery, type WebhookMessage } from './message-schema';
import { findMessage, listMessages, type MessageRow } from './message-store';
import { renderUnlessGone, type RenderMessage } from './render-message';

interface Reader {
  scope: WorkspaceScope;
  reason: TransactionReason;
}

export interface WebhookMessages {
  /** Lists messages newest first, and renders those not sent yet. @throws TollgateError cursor_invalid */
  list(reader: Reader, query: z.output<typeof listWebhookMessagesQuery>): Promise<Page<WebhookMessage>>;
  /** @throws TollgateError webhook_message_not_found */
  get(reader: Reader, id: string): Promise<WebhookMessage>;
}

export function createWebhookMessages(options: {
  database: Database;
  cursorSecret: string;
  render: RenderMessage;
}): WebhookMessages {
  const { database, cursorSecret: secret, render } = options;
  const resourceOf = async (scope: WorkspaceScope, row: MessageRow): Promise<WebhookMessage | null> => {
    const text = row.payload ?? (await renderUnlessGone(render, scope, row.id));
    if (text === null) return null;
    const payload: unknown = JSON.parse(text);
    const { id, type, createdAt } = row;
    return { id, type, createdAt: toTime(createdAt), payload: webhookPayloadSchema.parse(payload) };
  };
  return {
    async list({ scope, reason }, { take, cursor, from, to, type }) {
      const list = { secret, scope, list: 'webhook-messages', filters: { type }, take, cursor, from, to };
      const page = await inWorkspace(database, scope, reason, (trx) =>
        pageByCreation(list, (part) => listMessages(trx, scope, { ...part, type })),
      );
      const data: WebhookMessage[] = [];
      for (const row of page.data) {
        const message = await resourceOf(scope, row);
        if (message !== null) data.push(message);
      }
      return { ...page, data };
    },

    async get({ scope, reason }, id) {
      const row = await inWorkspace(database, scope, reason, (trx) => findMessage(trx, scope, id));
      const message = row === undefined ? null : await resourceOf(scope, row);
      if (message !== null) return message;
      throw new TollgateError(
        'webhook_message_not_found',
        `There is no message "${id}" in this environment.`,
      );
    },
  };
}
