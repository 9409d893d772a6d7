/**
 * State of a command, which follows from the answer that its caller received:
 * - `pending`: no answer yet; the caller is waiting or was lost.
 * - `accepted`: 202. A job in the database sends it until it has ended.
 * - `abandoned`: 503. It was given up before anything had begun; the same key opens it again.
 * - `succeeded`: the stored answer.
 * - `refused`: the problem; with the same key it is judged again.
 */
export const OPERATION_STATUSES = ['pending', 'accepted', 'abandoned', 'succeeded', 'refused'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/** Statuses of commands that may still be carried out. */
export const OPEN_OPERATION_STATUSES = ['pending', 'accepted'] as const satisfies OperationStatus[];

/** Whether the command may still be carried out. */
export function isOpen(status: OperationStatus): boolean {
  return OPEN_OPERATION_STATUSES.some((open) => open === status);
}

/** Whether the same key starts a new attempt. */
export function opensAgain(status: OperationStatus): boolean {
  return status === 'refused' || status === 'abandoned';
}
