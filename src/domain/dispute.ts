import type { Instant } from './instant';

/** `lost`: the money was taken; `won`: it stayed, or came back. */
export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** How a dispute stands, and since when it is decided. */
export interface DisputeState {
  status: DisputeStatus;
  openedAt: Instant;
  decidedAt: Instant | null;
}

/**
 * How a dispute stands once the provider has said something more of it, whatever order that comes in: what is decided
 * is not opened again, and of two decisions the later one stands (of the same moment, the loss).
 *
 * @param at the provider's time of what it says
 */
export function judgeDispute(
  before: DisputeState | null,
  reported: { status: DisputeStatus; at: Instant },
): DisputeState {
  const openedAt = Math.min(before?.openedAt ?? reported.at, reported.at);
  if (reported.status === 'open') {
    return { status: before?.status ?? 'open', openedAt, decidedAt: before?.decidedAt ?? null };
  }
  const decided = before?.decidedAt ?? null;
  const stands =
    decided !== null && (decided > reported.at || (decided === reported.at && before?.status === 'lost'));
  return stands && before !== null
    ? { ...before, openedAt }
    : { status: reported.status, openedAt, decidedAt: reported.at };
}
