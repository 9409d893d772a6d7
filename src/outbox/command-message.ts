import type { WorkspaceScope } from '../tenancy/actor';

/** The workflow that processes a command. */
export interface CommandTarget {
  kind: 'subscription' | 'refund' | 'checkout';
  id: string;
}

/** A command as sent to its workflow. It holds ids only, so that no history contains its body or its sender. */
export interface CommandMessage {
  scope: WorkspaceScope;
  target: CommandTarget;
  operationId: string;
  /** Instead of running the operation, waits until its abandoned checkout has ended. */
  action?: 'give_up';
  /** Temporal's deduplication key; the same for each sending of a command. */
  updateId: string;
}
