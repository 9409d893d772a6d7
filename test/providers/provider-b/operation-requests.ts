import type { CheckoutRequest, ProviderReference } from '../../../src/providers/provider-operations';
import type { Outcome } from '../../../src/providers/outcome';

const base = {
  key: 'op_1-1',
  repeated: false,
  checkoutId: 'chk_1',
  workspaceId: 'ws_1',
  customer: { customerId: 'cus_1', reference: null, email: 'payer@example.com', name: 'A Payer' },
  successUrl: 'https://shop.example/back',
  cancelUrl: 'https://shop.example/no',
  expiresAt: Date.parse('2027-01-16T08:00:00Z'),
};

export function subscriptionCheckout(changes: Partial<CheckoutRequest> = {}): CheckoutRequest {
  const offer = {
    kind: 'subscription' as const,
    subscriptionId: 'sub_1',
    planReference: 'P-BASIC',
    quantity: 2,
    amount: 2000n,
    currency: 'USD',
  };
  return { ...base, offer, ...changes };
}

export function paymentCheckout(changes: Partial<CheckoutRequest> = {}): CheckoutRequest {
  const offer = { kind: 'payment' as const, amount: 1999n, currency: 'EUR', description: 'One thing' };
  return { ...base, offer, ...changes };
}

/** Returns the value of an outcome that is done or pending. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done' || outcome.kind === 'pending') return outcome.value;
  throw new Error(`It is ${JSON.stringify(outcome)}.`);
}

export function referenceOf(
  references: readonly ProviderReference[],
  kind: ProviderReference['kind'],
): ProviderReference {
  const found = references.find((reference) => reference.kind === kind);
  if (found === undefined) throw new Error(`There is no ${kind}.`);
  return found;
}
