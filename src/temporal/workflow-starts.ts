import type { TypedSearchAttributes } from '@temporalio/common';
import type { checkout } from '../../workflows/checkout';
import type { customerErasure } from '../../workflows/customer-erasure';
import type {
  CheckoutInput,
  ErasureInput,
  RefundInput,
  SubscriptionInput,
  WorkspaceInput,
} from '../../workflows/messages';
import type { refund } from '../../workflows/refund';
import type { reschedule } from '../../workflows/reschedule';
import { environmentKey, workspaceIdKey } from '../../workflows/search-attributes';
import type { subscription } from '../../workflows/subscription';
import { billingQueue } from './task-queues';
import {
  checkoutWorkflowId,
  erasureWorkflowId,
  refundWorkflowId,
  rescheduleWorkflowId,
  subscriptionWorkflowId,
} from './workflow-ids';

/** The workflows that a command or a signal starts, by type name. */
export interface EntityWorkflows {
  subscription: typeof subscription;
  checkout: typeof checkout;
  refund: typeof refund;
  customerErasure: typeof customerErasure;
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

export function erasureStart(input: ErasureInput) {
  return startOptions(erasureWorkflowId(input.environment, input.erasureId), input);
}

export function rescheduleStart(input: WorkspaceInput) {
  return startOptions(rescheduleWorkflowId(input.environment, input.workspaceId), input);
}

/** Allows at most one running workflow per id; a completed or terminated one can be started again. */
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
    // If a worker dies, its task is handed to another after 3 s instead of the default 10 s.
    workflowTaskTimeout: '3s',
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  } as const;
}
