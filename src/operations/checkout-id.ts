/** The id of the checkout that an operation creates at a provider, known before either row is written. */
export function checkoutIdOf(operationId: string): string {
  return operationId.replace(/^op_/, 'chk_');
}

/** The id of the operation that created a checkout at a provider. */
export function operationIdOfCheckout(checkoutId: string): string {
  return checkoutId.replace(/^chk_/, 'op_');
}
