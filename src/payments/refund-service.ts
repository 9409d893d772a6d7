import { z } from 'zod';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import type { Money } from '../domain/money';
import { findStoredAnswer, type Claim } from '../idempotency/idempotency-store';
import type { Operations } from '../subscriptions/commands/operation-service';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import { omitUndefined } from '../schemas/omit-undefined';
import type { Actor } from '../tenancy/actor';
import { requirePayment } from './payment-refusals';
import { findPayment } from './payment-store';
import {
  toRefundResource,
  type CreateRefundInput,
  type listRefundsQuery,
  type RefundResource,
} from './refund-resource';
import { findRefund, listRefunds } from './refund-store';
import type { SubmitResult } from '../operations/submit-result';
import type { Command } from '../operations/submit-command';

export interface Refunds {
  /** Lists refunds, newest first. @throws TollgateError cursor_invalid */
  list(actor: Actor, query: z.output<typeof listRefundsQuery>): Promise<Page<RefundResource>>;
  /** @throws TollgateError refund_not_found */
  get(actor: Actor, id: string): Promise<RefundResource>;
  /**
   * Makes a refund once for the claim, through the refund's own workflow.
   *
   * @throws TollgateError payment_not_found, payment_not_refundable, payment_currency_differs, refund_exceeds_payment,
   *   connection_not_found, connection_disabled, provider_refused, temporal_unavailable, service_busy
   */
  create(actor: Actor, input: CreateRefundInput, claim: Claim): Promise<SubmitResult>;
}

export function createRefunds(options: {
  database: Database;
  cursorSecret: string;
  operations: Pick<Operations, 'submit'>;
}): Refunds {
  const { database, cursorSecret: secret, operations } = options;
  return {
    list: ({ scope, reason }, { take, cursor, from, to, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const page = await pageByCreation(
          { secret, scope, list: 'refunds', filters, take, cursor, from, to },
          (part) => listRefunds(trx, scope, { ...omitUndefined(filters), ...part }),
        );
        return mapPage(page, toRefundResource);
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const row = await findRefund(trx, scope, id, 'read');
        if (row !== undefined) return toRefundResource(row);
        throw new TollgateError('refund_not_found', `There is no refund "${id}" in this environment.`);
      }),

    async create(actor, input, claim) {
      const { scope, reason } = actor;
      const found = await inWorkspace(database, scope, reason, (trx) => commandFor(trx, actor, input, claim));
      if ('answer' in found) return { kind: 'answered', answer: found.answer };
      return operations.submit(actor, found, claim);
    },
  };
}

async function commandFor(trx: DbTransaction, { scope }: Actor, input: CreateRefundInput, claim: Claim) {
  const { paymentId } = input;
  const answer = await findStoredAnswer(trx, scope, claim);
  if (answer !== undefined) return { answer };
  const { subscriptionId } = requirePayment(await findPayment(trx, scope, paymentId, 'read'), paymentId);
  return {
    kind: 'refund',
    subscriptionId,
    targetId: paymentId,
    input: toStoredInput(input),
  } satisfies Command;
}

/** A refund as stored in an operation, whose target is the payment: JSON. */
const storedInput = z.object({
  amount: z.object({ amount: z.coerce.bigint(), currency: z.string() }).nullable(),
  reason: z.string().nullable(),
});

function toStoredInput({ amount, reason }: CreateRefundInput): Record<string, unknown> {
  return {
    amount: amount === undefined ? null : { amount: amount.amount.toString(), currency: amount.currency },
    reason: reason ?? null,
  };
}

/** Reads the refund that an operation asks for. */
export function requestedRefund(input: Record<string, unknown>): {
  amount: Money | null;
  reason: string | null;
} {
  return storedInput.parse(input);
}
