import type { Account } from './account';
import type { Dispute } from './records';
import { lose } from './refunds';
import { sendDispute } from './webhooks';

/** Opens a customer's dispute of a payment. @throws RangeError for a payment that does not exist */
export function openDispute(account: Account, reference: string): Dispute {
  const transaction = account.transactions.get(reference);
  if (transaction === undefined) throw new RangeError(`There is no transaction ${reference}.`);
  const { now } = account;
  const dispute: Dispute = {
    id: account.nextId(),
    transaction,
    resolution: null,
    refundAmount: 0,
    createdAt: now,
    resolvedAt: null,
  };
  account.disputes.set(dispute.id, dispute);
  sendDispute(account, 'charge.dispute.create', dispute);
  return dispute;
}

/**
 * Resolves a dispute: the merchant accepts it, which returns the money, or wins.
 *
 * @throws RangeError if it is not open
 */
export function resolveDispute(account: Account, id: number, outcome: 'won' | 'lost'): void {
  const dispute = account.disputes.get(id);
  if (dispute === undefined || dispute.resolution !== null) throw new RangeError(`No dispute ${id} is open.`);
  dispute.resolvedAt = account.now;
  dispute.resolution = outcome === 'lost' ? 'merchant-accepted' : 'declined';
  if (outcome === 'lost') dispute.refundAmount = lose(account, dispute.transaction);
  sendDispute(account, 'charge.dispute.resolve', dispute);
}
