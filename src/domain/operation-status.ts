/**
 * The state of a command, which follows from the answer that its caller got:
 * `pending`: nothing yet; the caller waits, or was lost.
 * `accepted`: 202. It is sent until it has ended, by a job in the database.
 * `abandoned`: 503. It was given up before anything was begun; the same key opens it again.
 * `succeeded`: the stored answer.
 * `refused`: the problem; the same key has it judged again.
 */
export const OPERATION_STATUSES = ['pending', 'accepted', 'abandoned', 'succeeded', 'refused'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/** Those of commands that may still be carried out. */
export const OPEN_STATUSES = ['pending', 'accepted'] as const satisfies OperationStatus[];

/** Whether it may still be carried out. */
export function isOpen(status: OperationStatus): boolean {
  return OPEN_STATUSES.some((open) => open === status);
}

/** Whether the same key begins a new attempt. */
export function opensAgain(status: OperationStatus): boolean {
  return status === 'refused' || status === 'abandoned';
}
