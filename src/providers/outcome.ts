/**
 * The outcome of a call to a provider. Adapters return one of these and do not throw.
 *
 * `pending`: accepted; the provider decides later. `customer_action`: the customer must act at the provider first.
 * `declined`: refused for good, with the provider's code. `unsupported`: the provider has no such operation. `unknown`:
 * it may or may not have taken effect (a timeout after sending). An unknown outcome is resolved by asking the provider,
 * never by sending again under a new key. `credentialsRefused`: the provider refused the credentials, which says nothing
 * about the object or an earlier attempt.
 */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'pending'; value: T }
  | { kind: 'customer_action'; approvalUrl?: string }
  | { kind: 'declined'; code: string; reason: string }
  | { kind: 'unsupported'; reason: string }
  | { kind: 'unknown'; reason: string; credentialsRefused?: true };
