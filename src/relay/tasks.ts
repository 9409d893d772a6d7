import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import { isTollgateError } from '../domain/errors';
import type { CommandSender } from '../operations/command-sender';
import type { WorkspaceScope } from '../tenancy/scope';
import type { WorkflowSignals } from '../temporal/workflow-signals';
import type { OutboxTask, SendOperationJob } from '../outbox/enqueue';

const scope = { workspaceId: z.string(), environment: z.enum(['sandbox', 'production']) };
const subscriptionJob = z.strictObject({ ...scope, subscriptionId: z.string() });
const checkoutJob = z.strictObject({ ...scope, checkoutId: z.string() });
const refundJob = z.strictObject({ ...scope, refundId: z.string() });
const workspaceJob = z.strictObject(scope);
const sendOperationJob = z.strictObject({
  ...scope,
  target: z.strictObject({ kind: z.enum(['subscription', 'refund', 'checkout']), id: z.string() }),
  operationId: z.string(),
  updateId: z.string(),
});

interface TaskOptions {
  signals: WorkflowSignals;
  commands: CommandSender;
  /** Whether an operation has succeeded or was refused; also true of one that is not there any more. */
  readonly hasEnded: (scope: WorkspaceScope, operationId: string) => Promise<boolean>;
  /** Hears of what a task fails with. */
  onError: (error: unknown) => void;
}

/** A command that was sent and has not ended: its job stays, and sends it again after a pause. */
export class OperationOpenError extends Error {
  override name = 'OperationOpenError';
}

/** What the relay does for each job. A task that throws leaves its job in the queue, for later. */
export function createTasks(options: TaskOptions): TaskList {
  const { signals, onError } = options;
  const task =
    <Job>(schema: z.ZodType<Job>, perform: (job: Job) => Promise<void>) =>
    async (payload: unknown): Promise<void> => {
      const job = schema.parse(payload);
      try {
        await perform(job);
      } catch (error) {
        onError(error);
        throw error;
      }
    };
  return {
    'poke-subscription': task(subscriptionJob, signals.subscription),
    'poke-checkout': task(checkoutJob, signals.checkout),
    'poke-refund': task(refundJob, signals.refund),
    'reschedule-subscriptions': task(workspaceJob, signals.reschedule),
    'send-operation': task(sendOperationJob, (job) => sendOperation(options, job)),
  } satisfies Record<OutboxTask, unknown>;
}

/** @throws while the operation is open, so that the job stays */
async function sendOperation({ commands, hasEnded }: TaskOptions, job: SendOperationJob): Promise<void> {
  const { workspaceId, environment, ...command } = job;
  const scope = { workspaceId, environment };
  if (await hasEnded(scope, job.operationId)) return;
  try {
    await commands.send({ scope, ...command });
  } catch (error) {
    // A refusal is an end, which the row says.
    if (!isTollgateError(error) || error.status >= 500) throw error;
  }
  if (await hasEnded(scope, job.operationId)) return;
  throw new OperationOpenError(`The operation ${job.operationId} has not ended yet.`);
}
