/** The id of the refund that an operation makes, known before either row is written. */
export function refundIdOf(operationId: string): string {
  return operationId.replace(/^op_/, 'ref_');
}

/** The id of the operation that made a refund. */
export function operationIdOf(refundId: string): string {
  return refundId.replace(/^ref_/, 'op_');
}
