import { defineSignal } from '@temporalio/workflow';
import type { Environment } from '../src/domain/environment';

/** Which subscription a workflow is for. Ids only: nothing else goes into its history by this way. */
export interface SubscriptionInput {
  workspaceId: string;
  environment: Environment;
  subscriptionId: string;
}

/** Says that the row may have changed. Lost order, repetition and lateness are harmless: the row is read again. */
export const poke = defineSignal('poke');
