/** Returns the id of the checkout that an operation creates at a provider, known before either row is written. */
export function checkoutIdOf(operationId: string): string {
  return operationId.replace(/^op_/, 'chk_');
}

/** Returns the id of the operation that created a checkout at a provider. */
export function operationIdOfCheckout(checkoutId: string): string {
  return checkoutId.replace(/^chk_/, 'op_');
}

/** Returns the id of the refund that an operation makes, known before either row is written. */
export function refundIdOf(operationId: string): string {
  return operationId.replace(/^op_/, 'ref_');
}

/** Returns the id of the operation that made a refund. */
export function operationIdOf(refundId: string): string {
  return refundId.replace(/^ref_/, 'op_');
}
