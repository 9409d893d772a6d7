import type { Instant } from './instant';

/** `lost`: the money was taken; `won`: it stayed, or came back. */
export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** How a dispute stands, over how much, and since when it is decided. */
export interface DisputeState {
  status: DisputeStatus;
  /** Minor units: what is disputed, and once it is lost, what was taken. */
  amount: bigint;
  openedAt: Instant;
  decidedAt: Instant | null;
}

/**
 * How a dispute stands once the provider has said something more of it, whatever order that comes in: what is decided
 * is not opened again, and of two decisions the later one stands (of the same moment, the loss), with its amount. What
 * a loss has taken stays, though: what a second one takes beyond it is told by a refund of its own.
 *
 * @param reported with the provider's time of it
 */
export function judgeDispute(
  before: DisputeState | null,
  reported: { status: DisputeStatus; amount: bigint; at: Instant },
): DisputeState {
  const openedAt = Math.min(before?.openedAt ?? reported.at, reported.at);
  const { amount } = before === null || before.status === 'open' ? reported : before;
  if (reported.status === 'open') {
    return { status: before?.status ?? 'open', amount, openedAt, decidedAt: before?.decidedAt ?? null };
  }
  const decided = before?.decidedAt ?? null;
  const stands =
    decided !== null && (decided > reported.at || (decided === reported.at && before?.status === 'lost'));
  if (stands && before !== null) return { ...before, openedAt };
  const { status, at: decidedAt } = reported;
  return { status, amount: before?.status === status ? amount : reported.amount, openedAt, decidedAt };
}
