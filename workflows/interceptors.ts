import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

/**
 * Drops the input of signals. No signal has arguments, but the SDK decodes any input, and fails the workflow task again
 * and again if it cannot: operators can send anything from Temporal's UI or command line.
 */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  internals: [
    {
      activate(input, next) {
        for (const { signalWorkflow } of input.activation.jobs ?? []) {
          if (signalWorkflow) signalWorkflow.input = [];
        }
        next(input);
      },
    },
  ],
});
