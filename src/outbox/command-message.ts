import type { WorkspaceScope } from '../tenancy/scope';

/** The workflow that a command belongs to: the subscription's, or the refund's or the checkout's own. */
export interface CommandTarget {
  kind: 'subscription' | 'refund' | 'checkout';
  id: string;
}

/** A command on its way: ids only, so that neither its body nor who sent it stands in a workflow's history. */
export interface CommandMessage {
  scope: WorkspaceScope;
  target: CommandTarget;
  operationId: string;
  /** In place of running the operation: the checkout that it has made was given up, and its end is waited for. */
  action?: 'give_up';
  /** The same for every sending of one command. */
  updateId: string;
}
