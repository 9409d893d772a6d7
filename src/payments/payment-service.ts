import type { z } from 'zod';
import { lockCheckout } from '../checkouts/end-checkout';
import { checkoutNotFound } from '../checkouts/checkout-resource';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace, inWorkspaceFor } from '../db/workspace-transaction';
import { wakesInTime } from '../domain/lifecycle';
import { mayChangeState } from '../domain/payment';
import { findStoredAnswer, runOnce, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { findOperationOfKey } from '../operations/operation-store';
import type { Operations } from '../subscriptions/commands/operation-service';
import { enqueueSubscriptionSignal } from '../outbox/enqueue-signal';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import { omitUndefined } from '../schemas/omit-undefined';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import { findTransaction } from '../subscriptions/transaction-store';
import type { Actor } from '../tenancy/actor';
import { toPaymentInput, toStoredInput } from './payment-input';
import { requirePayment, transactionNotFound } from './payment-refusals';
import {
  toPaymentResource,
  type CreatePaymentInput,
  type listPaymentsQuery,
  type PaymentResource,
} from './payment-resource';
import { findPayment, listPayments } from './payment-store';
import { recordCheckoutPayment, type CheckoutPaymentInput } from './record-local-checkout-payment';
import { recordPayment } from './record-payment';
import type { SubmitResult } from '../operations/submit-result';

export interface Payments {
  /** Lists payments, newest first. @throws TollgateError cursor_invalid */
  list(actor: Actor, query: z.output<typeof listPaymentsQuery>): Promise<Page<PaymentResource>>;
  /** @throws TollgateError payment_not_found */
  get(actor: Actor, id: string): Promise<PaymentResource>;
  /**
   * Records a payment once for the claim. A payment that may change its subscription's state goes through the
   * subscription's workflow; any other is one transaction here, and the workflow is signalled.
   *
   * @throws TollgateError transaction_not_found, payment_currency_differs, capability_unsupported, validation_failed;
   *   temporal_unavailable and service_busy for a payment that goes through the workflow
   */
  record(actor: Actor, input: CreatePaymentInput, claim: Claim): Promise<SubmitResult>;
  /**
   * Records the payment of a local-billing checkout with a one-time amount.
   *
   * @throws TollgateError checkout_not_found, checkout_not_open, capability_unsupported, payment_currency_differs,
   *   validation_failed
   */
  recordForCheckout(
    actor: Actor,
    checkoutId: string,
    input: CheckoutPaymentInput,
    claim: Claim,
  ): Promise<StoredAnswer>;
}

/** Rolls back, because the locked rows showed that the payment belongs to the subscription's workflow. */
class WorkflowNeededError extends Error {}

export function createPayments(options: {
  database: Database;
  cursorSecret: string;
  operations: Pick<Operations, 'submit'>;
}): Payments {
  const { database, cursorSecret: secret, operations } = options;
  return {
    list: ({ scope, reason }, { take, cursor, from, to, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const page = await pageByCreation(
          { secret, scope, list: 'payments', filters, take, cursor, from, to },
          (part) => listPayments(trx, scope, { ...omitUndefined(filters), ...part }),
        );
        return mapPage(page, toPaymentResource);
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, async (trx) =>
        toPaymentResource(requirePayment(await findPayment(trx, scope, id, 'read'), id)),
      ),

    async record(actor, input, claim) {
      const { scope, reason } = actor;
      const route = await inWorkspace(database, scope, reason, (trx) =>
        chooseRoute(trx, actor, input, claim),
      );
      if ('answer' in route) return { kind: 'answered', answer: route.answer };
      if (route.way === 'transaction') {
        const answer = await recordHere(database, actor, route.subscriptionId, input, claim);
        if (answer !== undefined) return { kind: 'answered', answer };
      }
      const command = {
        kind: 'record_payment',
        subscriptionId: route.subscriptionId,
        targetId: input.transactionId,
        input: toStoredInput(toPaymentInput(input)),
      } as const;
      return operations.submit(actor, command, claim);
    },

    recordForCheckout: (actor, checkoutId, input, claim) =>
      inWorkspaceFor(database, actor, (trx) =>
        runOnce(trx, actor.scope, claim, actor.receivedAt, async () => {
          const checkout = await lockCheckout(trx, actor.scope, checkoutId);
          if (checkout === undefined) throw checkoutNotFound(checkoutId);
          const payment = await recordCheckoutPayment(trx, actor, checkout, input);
          return { status: 201, body: toPaymentResource(payment) };
        }),
      ),
  };
}

type Way = { answer: StoredAnswer } | { way: 'workflow' | 'transaction'; subscriptionId: string };

async function chooseRoute(
  trx: DbTransaction,
  actor: Actor,
  { transactionId }: CreatePaymentInput,
  claim: Claim,
): Promise<Way> {
  const { scope, now } = actor;
  const answer = await findStoredAnswer(trx, scope, claim);
  if (answer !== undefined) return { answer };
  const transaction = await findTransaction(trx, scope, transactionId, 'read');
  if (transaction === undefined) throw transactionNotFound(transactionId);
  const { subscriptionId } = transaction;
  const subscription = await findBilledSubscription(trx, scope, subscriptionId, 'read');
  // A command already accepted under this key is the one carried out, whatever has changed since.
  const accepted = await findOperationOfKey(trx, scope, claim.key);
  const byWorkflow =
    accepted !== undefined || (subscription !== undefined && mayChangeState(subscription, now));
  return { way: byWorkflow ? 'workflow' : 'transaction', subscriptionId };
}

/** Returns undefined, with nothing done, if the payment belongs to the workflow after all. */
async function recordHere(
  database: Database,
  actor: Actor,
  subscriptionId: string,
  input: CreatePaymentInput,
  claim: Claim,
): Promise<StoredAnswer | undefined> {
  const { scope, now } = actor;
  try {
    return await inWorkspaceFor(database, actor, (trx) =>
      runOnce(trx, scope, claim, actor.receivedAt, async () => {
        const subscription = await findBilledSubscription(trx, scope, subscriptionId, 'lock');
        if (subscription === undefined) throw transactionNotFound(input.transactionId);
        if (mayChangeState(subscription, now)) throw new WorkflowNeededError();
        const recorded = await recordPayment(trx, actor, subscription, toPaymentInput(input));
        if (recorded.subscription !== subscription && !wakesInTime(subscription, recorded.subscription))
          await enqueueSubscriptionSignal(trx, scope, subscription.id);
        return { status: 201, body: toPaymentResource(recorded.payment) };
      }),
    );
  } catch (error) {
    if (error instanceof WorkflowNeededError) return undefined;
    throw error;
  }
}
