import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import type { Database, Transaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { runOnce, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { SOURCES } from '../operations/record-act';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import { given } from '../schemas/given';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import { findTransactions } from '../subscriptions/transaction-store';
import type { Actor, WorkspaceScope } from '../tenancy/scope';
import { toCheckoutResource, type CheckoutResource, type listCheckoutsQuery } from './checkout-resource';
import { findCheckout, listCheckouts, type CheckoutRow } from './checkout-store';
import { createCheckout, type CreateCheckoutInput } from './create-checkout';
import { expireCheckout } from './expire-checkout';

/** Customers' ways to a subscription that begins when it is paid. */
export interface Checkouts {
  /** Newest first. @throws TollgateError cursor_invalid */
  list(actor: Actor, query: z.output<typeof listCheckoutsQuery>): Promise<Page<CheckoutResource>>;
  /** @throws TollgateError checkout_not_found */
  get(actor: Actor, id: string): Promise<CheckoutResource>;
  /**
   * Makes a checkout once for the claim.
   *
   * @throws TollgateError customer_not_found, plan_not_found, plan_archived, subscription_exists
   */
  create(actor: Actor, input: CreateCheckoutInput, claim: Claim): Promise<StoredAnswer>;
  /**
   * Gives an unpaid checkout up, at once. One that has expired stays as it is.
   *
   * @throws TollgateError checkout_not_found, checkout_not_open when it is complete
   */
  expire(actor: Actor, id: string): Promise<CheckoutResource>;
}

export function createCheckouts(options: { database: Database; cursorSecret: string }): Checkouts {
  const { database, cursorSecret } = options;
  return {
    list: ({ scope, reason }, { take, cursor, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const list = { secret: cursorSecret, scope, list: 'checkouts', filters, take, cursor };
        const page = await pageByCreation(list, (part) =>
          listCheckouts(trx, scope, { ...given(filters), ...part }),
        );
        return mapPage(page, await resourceMapper(trx, scope, page.data));
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, (trx) => readCheckout(trx, scope, id)),

    create: (actor, input, claim) =>
      inWorkspace(database, actor.scope, actor.reason, (trx) =>
        runOnce(trx, actor.scope, claim, actor.receivedAt, async () => ({
          status: 201,
          body: await readCheckout(trx, actor.scope, await createCheckout(trx, actor, input)),
        })),
      ),

    expire: (actor, id) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const { scope, now, receivedAt, reason } = actor;
        const { subscriptionId } = await requireCheckout(trx, scope, id);
        const subscription = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
        // Read again: while the lock was waited for, it may have been paid.
        const { status } = await requireCheckout(trx, scope, id);
        if (status === 'complete') {
          throw new TollgateError('checkout_not_open', `The checkout "${id}" is complete.`);
        }
        if (subscription?.status === 'incomplete') {
          const how = { why: 'given_up', at: now, recordedAt: receivedAt, source: SOURCES[reason] } as const;
          await expireCheckout(trx, scope, subscription, how);
          await recordAudit(trx, actor, {
            action: 'checkout.expired',
            target: id,
            detail: { subscriptionId },
          });
        }
        return readCheckout(trx, scope, id);
      }),
  };
}

/** @throws TollgateError checkout_not_found */
async function requireCheckout(trx: Transaction, scope: WorkspaceScope, id: string): Promise<CheckoutRow> {
  const row = await findCheckout(trx, scope, id);
  if (row !== undefined) return row;
  throw new TollgateError('checkout_not_found', `There is no checkout "${id}" in this environment.`);
}

async function readCheckout(trx: Transaction, scope: WorkspaceScope, id: string): Promise<CheckoutResource> {
  const row = await requireCheckout(trx, scope, id);
  const toResource = await resourceMapper(trx, scope, [row]);
  return toResource(row);
}

/** Reads the transactions of all rows at once. */
async function resourceMapper(
  trx: Transaction,
  scope: WorkspaceScope,
  rows: readonly CheckoutRow[],
): Promise<(row: CheckoutRow) => CheckoutResource> {
  const ids = rows.flatMap(({ transactionId }) => (transactionId === null ? [] : [transactionId]));
  const transactions = new Map((await findTransactions(trx, scope, ids)).map((one) => [one.id, one]));
  return (row) =>
    toCheckoutResource(row, row.transactionId === null ? undefined : transactions.get(row.transactionId));
}
