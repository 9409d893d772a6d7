import type { Account } from './account';
import type { Dispute } from './records';
import { lose } from './refunds';
import { sendDispute } from './webhooks';

/** A customer disputes a payment at their bank. @throws RangeError for a payment that is not there */
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

/** The merchant accepts a dispute, which gives the money back, or wins it. @throws RangeError for one that is not open */
export function resolveDispute(account: Account, id: number, outcome: 'won' | 'lost'): void {
  const dispute = account.disputes.get(id);
  if (dispute === undefined || dispute.resolution !== null) throw new RangeError(`No dispute ${id} is open.`);
  dispute.resolvedAt = account.now;
  dispute.resolution = outcome === 'lost' ? 'merchant-accepted' : 'declined';
  if (outcome === 'lost') dispute.refundAmount = lose(account, dispute.transaction);
  sendDispute(account, 'charge.dispute.resolve', dispute);
}
