/** At a payment provider a checkout's id is its operation's, so that both are known before anything is written. */
export function checkoutIdOf(operationId: string): string {
  return operationId.replace(/^op_/, 'chk_');
}

/** The operation that a checkout at a payment provider came from. */
export function operationIdOfCheckout(checkoutId: string): string {
  return checkoutId.replace(/^chk_/, 'op_');
}
