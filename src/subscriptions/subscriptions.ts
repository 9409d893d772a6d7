import type { z } from 'zod';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { runOnce, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { decodeCursor, encodeCursor, mapPage, pageOf, type Page } from '../pagination/cursor';
import { given } from '../schemas/given';
import type { Actor } from '../tenancy/scope';
import { openInTransaction, type OpenSubscriptionInput } from './open-subscription';
import {
  toSubscriptionResource,
  type listSubscriptionsQuery,
  type SubscriptionResource,
} from './subscription-resource';
import { findSubscription, listSubscriptions } from './subscription-store';

export interface Subscriptions {
  /** Newest first. */
  list(actor: Actor, query: z.output<typeof listSubscriptionsQuery>): Promise<Page<SubscriptionResource>>;
  /** @throws TollgateError subscription_not_found */
  get(actor: Actor, id: string): Promise<SubscriptionResource>;
  /**
   * Opens a subscription once for the claim.
   *
   * @throws TollgateError customer_not_found, plan_not_found, plan_archived, subscription_exists
   */
  open(actor: Actor, input: OpenSubscriptionInput, claim: Claim): Promise<StoredAnswer>;
}

export function createSubscriptions(options: { database: Database; cursorSecret: string }): Subscriptions {
  const { database, cursorSecret } = options;
  return {
    list: ({ scope, reason, now }, { take, cursor, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const binding = { ...scope, list: 'subscriptions', filters };
        const [createdAt, id] = cursor === undefined ? [] : decodeCursor(cursorSecret, binding, cursor);
        const before = id === undefined ? {} : { before: { createdAt: Number(createdAt), id: String(id) } };
        const rows = await listSubscriptions(trx, scope, { ...given(filters), ...before, limit: take + 1 });
        const page = pageOf(rows, take, (last) =>
          encodeCursor(cursorSecret, binding, [last.createdAt, last.id]),
        );
        return mapPage(page, (row) => toSubscriptionResource(row, now));
      }),

    get: ({ scope, reason, now }, id) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const row = await findSubscription(trx, scope, id);
        if (row !== undefined) return toSubscriptionResource(row, now);
        throw new TollgateError(
          'subscription_not_found',
          `There is no subscription "${id}" in this environment.`,
        );
      }),

    open: (actor, input, claim) =>
      inWorkspace(database, actor.scope, actor.reason, (trx) =>
        runOnce(trx, actor.scope, claim, actor.receivedAt, async () => ({
          status: 201,
          body: await openInTransaction(trx, actor, input),
        })),
      ),
  };
}
