/**
 * How an operation at a provider ended; there is no other way.
 *
 * `pending`: taken, and the provider decides later. `customer_action`: the customer must first do something there.
 * `declined`: refused for good, with the provider's code. `unknown`: it may or may not have happened (a time-out after
 * sending), which is settled by asking the provider, never by sending again under a new key.
 */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'pending'; value: T }
  | { kind: 'customer_action'; approvalUrl?: string }
  | { kind: 'declined'; code: string; reason: string }
  | { kind: 'unsupported'; reason: string }
  | { kind: 'unknown'; reason: string };
