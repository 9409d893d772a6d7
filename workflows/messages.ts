import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Environment } from '../src/domain/environment';

/** The tenant that a workflow works for. Ids only: nothing else enters a history this way. */
interface Scoped {
  workspaceId: string;
  environment: Environment;
}

/** The workspace environment that a workflow is for. */
export type WorkspaceInput = Scoped;

/** The subscription that a workflow is for. */
export interface SubscriptionInput extends Scoped {
  subscriptionId: string;
}

/** The checkout that a workflow is for. */
export interface CheckoutInput extends Scoped {
  checkoutId: string;
}

/** The refund that a workflow is for. */
export interface RefundInput extends Scoped {
  refundId: string;
}

/** The erasure that a workflow is for. */
export interface ErasureInput extends Scoped {
  erasureId: string;
}

/** An accepted command; its content is stored in Postgres under its id. */
export interface OperationCommand {
  operationId: string;
  /** Identifies this sending. A refusal carries it, so that the refusal of an earlier sending can be recognized. */
  attempt: string;
}

/** `applied`: the answer is stored in Postgres. `pending`: a provider has not decided yet. */
export type OperationResult = 'applied' | 'pending';

/**
 * Signals that the row may have changed. Reordering, repetition and delay are harmless, because the row is read again.
 */
export const poke = defineSignal('poke');

/** Executes a command. A refusal fails the update with the refusal's code as the failure type. */
export const runOperation = defineUpdate<OperationResult, [OperationCommand]>('runOperation');

/** Gives a checkout up, unless it was paid; `pending` until its provider has answered. */
export const giveUpCheckout = defineUpdate<OperationResult, [OperationCommand]>('giveUpCheckout');

/**
 * Failure type of a command that was not accepted and is to be sent again; the one that the server itself uses, which
 * senders of earlier versions know.
 */
export const NOT_ACCEPTED = 'UnprocessedUpdate';

/** Validates only the shape of `runOperation`'s input; the activity's transaction validates the rest. */
export function assertOperationCommand(command: unknown): void {
  if (typeof command === 'object' && command !== null && 'operationId' in command && 'attempt' in command) {
    const { operationId, attempt } = command;
    if (typeof operationId === 'string' && typeof attempt === 'string') return;
  }
  throw new TypeError('runOperation takes { operationId, attempt }.');
}
