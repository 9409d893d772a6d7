import type { TypedSearchAttributes } from '@temporalio/common';
import type { checkout } from '../../workflows/checkout';
import type { CheckoutInput, RefundInput, SubscriptionInput, WorkspaceInput } from '../../workflows/messages';
import type { refund } from '../../workflows/refund';
import type { reschedule } from '../../workflows/reschedule';
import { environmentKey, workspaceIdKey } from '../../workflows/search-attributes';
import type { subscription } from '../../workflows/subscription';
import { billingQueue } from './task-queues';
import {
  checkoutWorkflowId,
  refundWorkflowId,
  rescheduleWorkflowId,
  subscriptionWorkflowId,
} from './workflow-ids';

/** The types of the workflows that a command or a poke starts, by their names. */
export interface EntityWorkflows {
  subscription: typeof subscription;
  checkout: typeof checkout;
  refund: typeof refund;
  reschedule: typeof reschedule;
}

export function subscriptionStart(input: SubscriptionInput) {
  return startOptions(subscriptionWorkflowId(input.environment, input.subscriptionId), input);
}

export function checkoutStart(input: CheckoutInput) {
  return startOptions(checkoutWorkflowId(input.environment, input.checkoutId), input);
}

export function refundStart(input: RefundInput) {
  return startOptions(refundWorkflowId(input.environment, input.refundId), input);
}

export function rescheduleStart(input: WorkspaceInput) {
  return startOptions(rescheduleWorkflowId(input.environment, input.workspaceId), input);
}

/** One workflow under an id at a time; one that ended, or was ended by hand, is started again from its row. */
function startOptions<Input extends WorkspaceInput>(workflowId: string, input: Input) {
  const typedSearchAttributes: ConstructorParameters<typeof TypedSearchAttributes>[0] = [
    { key: workspaceIdKey, value: input.workspaceId },
    { key: environmentKey, value: input.environment },
  ];
  const args: [Input] = [input];
  return {
    workflowId,
    taskQueue: billingQueue(input.environment),
    args,
    typedSearchAttributes,
    // A worker that dies holds a task up for this long, and not for the usual ten seconds.
    workflowTaskTimeout: '3s',
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  } as const;
}
