import type Router from '@koa/router';
import { z } from 'zod';
import { shortText, writeAmount } from './amounts';
import { accountOf } from './authentication';
import { publish } from './events';
import { isoSeconds, newId } from './identifiers';
import { ownAddress } from './own-address';
import { answer, invalidRequest, notFound, readQuery } from './problem';
import { returnMoney } from './sales';
import type { Account, Dispute, Simulation } from './state';
import { DAY_MS } from '../../src/domain/instant';

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const query = z.strictObject({
  start_time: time.optional(),
  disputed_transaction_id: z.string().optional(),
  next_page_token: z.string().min(1).max(255).optional(),
  page_size: z.coerce.number().int().min(1).max(50).default(10),
});

const OLDEST_MS = 180 * DAY_MS;

/** `GET /v1/customer/disputes` and `GET /v1/customer/disputes/{id}`. */
export function disputeRoutes(simulation: Simulation, router: Router): void {
  router.get('/v1/customer/disputes', (ctx) => {
    const account = accountOf(simulation, ctx);
    const {
      start_time: start,
      disputed_transaction_id: transaction,
      next_page_token: token,
      page_size: size,
    } = readQuery(ctx, query);
    const tooOld = start !== undefined && start < simulation.core.clock.now() - OLDEST_MS;
    if (tooOld || (start !== undefined && transaction !== undefined)) {
      const issue = { field: 'start_time', location: 'query', issue: 'INVALID_REQUEST' } as const;
      throw invalidRequest([{ ...issue, description: 'The start time must be within the last 180 days.' }]);
    }
    const found = [...account.disputes.values()]
      .filter(({ openedAt, sale }) => openedAt >= (start ?? 0) && (transaction ?? sale.id) === sale.id)
      .reverse();
    const from = token === undefined ? 0 : found.findIndex((dispute) => tokenOf(dispute) === token) + 1;
    if (token !== undefined && from === 0) {
      const issue = { field: 'next_page_token', location: 'query', issue: 'INVALID_REQUEST' } as const;
      throw invalidRequest([{ ...issue, description: 'The page token is not valid.' }]);
    }
    const items = found.slice(from, from + size);
    const last = found.length > from + size ? items.at(-1) : undefined;
    const next = new URL(ownAddress(ctx) + ctx.url);
    if (last !== undefined) next.searchParams.set('next_page_token', tokenOf(last));
    answer(ctx, 200, {
      items: items.map(summary),
      links: [
        { href: ownAddress(ctx) + ctx.url, rel: 'self', method: 'GET' },
        ...(last === undefined ? [] : [{ href: next.href, rel: 'next', method: 'GET' }]),
      ],
    });
  });
  router.get('/v1/customer/disputes/:id', (ctx) => {
    const dispute = accountOf(simulation, ctx).disputes.get(ctx.params['id'] ?? '');
    if (dispute === undefined) throw notFound();
    answer(ctx, 200, disputeObject(dispute));
  });
}

/** Opens a payer's dispute of a subscription payment. @throws RangeError for a payment that does not exist */
export function openDispute(simulation: Simulation, account: Account, saleId: string): Dispute {
  const sale = account.sales.get(saleId);
  if (sale === undefined) throw new RangeError(`There is no payment ${saleId}.`);
  const now = simulation.core.clock.now();
  const dispute: Dispute = { id: `PP-D-${newId(5)}`, sale, openedAt: now, updatedAt: now, outcome: null };
  account.disputes.set(dispute.id, dispute);
  tell(simulation, account, dispute, 'CREATED');
  return dispute;
}

/**
 * Resolves a dispute with B's decision; if the merchant lost, the money is returned to the payer.
 *
 * @throws RangeError for a dispute that is not open
 */
export function resolveDispute(
  simulation: Simulation,
  account: Account,
  id: string,
  outcome: 'won' | 'lost',
): void {
  const dispute = account.disputes.get(id);
  if (dispute === undefined || dispute.outcome !== null) throw new RangeError(`No dispute ${id} is open.`);
  dispute.outcome = outcome;
  dispute.updatedAt = simulation.core.clock.now();
  if (outcome === 'lost') {
    const left = { ...dispute.sale.amount, minor: dispute.sale.amount.minor - dispute.sale.refunded };
    dispute.taken = left.minor;
    if (left.minor > 0n)
      returnMoney(simulation, account, { sale: dispute.sale, amount: left, why: 'REVERSED' });
  }
  tell(simulation, account, dispute, 'RESOLVED');
}

function tell(simulation: Simulation, account: Account, dispute: Dispute, what: string): void {
  publish(simulation, account, {
    type: `CUSTOMER.DISPUTE.${what}`,
    resourceType: 'dispute',
    summary: `A dispute of ${shortText(dispute.sale.amount.minor, dispute.sale.amount.currency)}`,
    resource: disputeObject(dispute),
  });
}

/** Returns a token for the page that follows a dispute in the list, which is the latest first. */
function tokenOf({ id }: Dispute): string {
  return Buffer.from(id, 'utf8').toString('base64url');
}

/** Returns a dispute as listed: without its transactions and its outcome. */
function summary({ id, sale, openedAt, updatedAt, outcome }: Dispute): object {
  return {
    dispute_id: id,
    create_time: isoSeconds(openedAt).replace('Z', '.000Z'),
    update_time: isoSeconds(updatedAt).replace('Z', '.000Z'),
    reason: 'UNAUTHORISED',
    status: outcome === null ? 'WAITING_FOR_SELLER_RESPONSE' : 'RESOLVED',
    dispute_state: outcome === null ? 'REQUIRED_ACTION' : 'RESOLVED',
    dispute_amount: writeAmount(sale.amount),
    dispute_life_cycle_stage: 'CHARGEBACK',
    dispute_channel: 'INTERNAL',
  };
}

function disputeObject(dispute: Dispute): object {
  const { sale, outcome } = dispute;
  return {
    ...summary(dispute),
    disputed_transactions: [{ seller_transaction_id: sale.id, seller: { name: 'Simulated merchant' } }],
    ...(outcome === null
      ? {}
      : {
          dispute_outcome: {
            outcome_code: outcome === 'lost' ? 'RESOLVED_BUYER_FAVOUR' : 'RESOLVED_SELLER_FAVOUR',
            amount_refunded: writeAmount({
              ...sale.amount,
              minor: dispute.taken ?? 0n,
            }),
          },
        }),
  };
}
