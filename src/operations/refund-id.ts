/** A refund's id is its operation's, so that both are known before anything is written. */
export function refundIdOf(operationId: string): string {
  return operationId.replace(/^op_/, 'ref_');
}

/** The operation that a refund came from. */
export function operationIdOf(refundId: string): string {
  return refundId.replace(/^ref_/, 'op_');
}
