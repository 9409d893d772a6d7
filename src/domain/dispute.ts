import { DAY_MS, type Instant } from './instant';

/** `lost`: the money was taken; `won`: it was kept or returned. */
export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** Status of a dispute, its amount, and when it was decided. */
export interface DisputeState {
  status: DisputeStatus;
  /** Minor units: the amount disputed or, once lost, the amount taken. */
  amount: bigint;
  openedAt: Instant;
  decidedAt: Instant | null;
}

/**
 * Returns a dispute's state after another report of the provider, regardless of the order of reports. A decided dispute
 * is not reopened. Of two decisions the later one applies, with its amount; at the same instant, the loss does. The
 * amount taken by a loss does not change, however: a refund of its own reports what a second loss takes beyond it.
 *
 * @param reported `at` and `openedAt` in the provider's time; `openedAt` only if the provider states it
 */
export function judgeDispute(
  before: DisputeState | null,
  reported: { status: DisputeStatus; amount: bigint; at: Instant; openedAt?: Instant | null },
): DisputeState {
  const openedAt = Math.min(before?.openedAt ?? reported.at, reported.at, reported.openedAt ?? reported.at);
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

/**
 * Returns whether a refund made at the provider may be its second report of a dispute's loss, judged by time alone. The
 * provider may take the money before it opens the dispute, but no more than a day. A refund made after the money came
 * back is a separate one.
 *
 * @param madeAt null if unknown
 * @param dispute.returnedAt when the money of the loss came back; null if it has not
 */
export function mayReportLoss(
  madeAt: Instant | null,
  { openedAt, returnedAt }: { openedAt: Instant; returnedAt: Instant | null },
): boolean {
  return madeAt === null || (madeAt >= openedAt - DAY_MS && madeAt <= (returnedAt ?? madeAt));
}

/** The refunds of a disputed payment, in minor units, as far as they took money. */
export interface RefundsBesideLoss {
  /** The sum of all of them. */
  total: bigint;
  /** Those made at the provider that may be its report of the loss (`mayReportLoss`), the latest first. */
  madeThere: readonly bigint[];
  /** Whether one was requested here since then. */
  isRequestedHere: boolean;
}

/**
 * Returns what a lost dispute took, at a provider that also reports a loss as a refund and takes no more than was paid;
 * null if that is nothing. Such a provider may state only what was disputed, which is all of the payment even if a part
 * had been refunded before. Then the loss is the rest or, once nothing is left, the refund that reports it. Without
 * one, it took nothing if the merchant refunded the payment here while it was disputed.
 *
 * @param stated the amount that the provider states
 */
export function takenByLoss(
  stated: bigint,
  paid: bigint,
  { total, madeThere, isRequestedHere }: RefundsBesideLoss,
): bigint | null {
  const left = paid - total;
  if (stated <= left || madeThere.includes(stated)) return stated;
  if (left > 0n) return left;
  return madeThere[0] ?? (isRequestedHere ? null : stated);
}
