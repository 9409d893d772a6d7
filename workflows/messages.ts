import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Environment } from '../src/domain/environment';

/** The tenant of whatever a workflow is for. Ids only: nothing else goes into a history by this way. */
interface Scoped {
  workspaceId: string;
  environment: Environment;
}

/** Which workspace's environment a workflow is for. */
export type WorkspaceInput = Scoped;

/** Which subscription a workflow is for. */
export interface SubscriptionInput extends Scoped {
  subscriptionId: string;
}

/** Which checkout a workflow is for. */
export interface CheckoutInput extends Scoped {
  checkoutId: string;
}

/** Which refund a workflow is for. */
export interface RefundInput extends Scoped {
  refundId: string;
}

/** Which customer's erasure a workflow is for. */
export interface ErasureInput extends Scoped {
  erasureId: string;
}

/** An accepted command: what it says stands in Postgres, under its id. */
export interface OperationCommand {
  operationId: string;
  /** Names this sending. A refusal carries it, so that an earlier sending's refusal is known for what it is. */
  attempt: string;
}

/** `applied`: the answer is stored in Postgres. `pending`: a provider has not decided yet. */
export type OperationResult = 'applied' | 'pending';

/** Says that the row may have changed. Lost order, repetition and lateness are harmless: the row is read again. */
export const poke = defineSignal('poke');

/** Has a command done. It fails with the refusal's code as the failure's type. */
export const runOperation = defineUpdate<OperationResult, [OperationCommand]>('runOperation');

/** Has a checkout given up, unless it was paid; `pending` while its provider has not said. */
export const giveUpCheckout = defineUpdate<OperationResult, [OperationCommand]>('giveUpCheckout');

/** The validator of `runOperation`: the shape alone, because the activity's transaction judges. */
export function assertOperationCommand(command: unknown): void {
  if (typeof command === 'object' && command !== null && 'operationId' in command && 'attempt' in command) {
    const { operationId, attempt } = command;
    if (typeof operationId === 'string' && typeof attempt === 'string') return;
  }
  throw new TypeError('runOperation takes { operationId, attempt }.');
}
