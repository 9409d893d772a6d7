import { randomUUID } from 'node:crypto';
import type { Job as QueuedJob, Task, TaskList } from 'graphile-worker';
import { z } from 'zod';
import { isTollgateError } from '../domain/errors';
import type { CommandResult, CommandSender } from '../operations/command-sender';
import type { WorkspaceScope } from '../tenancy/actor';
import type { WorkflowSignals } from '../temporal/workflow-signals';
import type { WorkflowState } from '../temporal/workflow-probe';
import type { OutboxTask, SendOperationJob, WorkspaceJob } from '../outbox/enqueue';

const scope = { workspaceId: z.string(), environment: z.enum(['sandbox', 'production']) };
const subscriptionJob = z.strictObject({ ...scope, subscriptionId: z.string() });
const checkoutJob = z.strictObject({ ...scope, checkoutId: z.string() });
const refundJob = z.strictObject({ ...scope, refundId: z.string() });
const erasureJob = z.strictObject({ ...scope, erasureId: z.string() });
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
  /** Whether an operation has ended; also true if it no longer exists. */
  readonly hasEnded: (scope: WorkspaceScope, operationId: string) => Promise<boolean>;
  /** Whether its workflow completes it without another command: its call is pending, for example. */
  readonly hasStarted: (scope: WorkspaceScope, operationId: string) => Promise<boolean>;
  /** The state of a run of the workflow that reschedules a workspace's subscriptions. */
  readonly rescheduleState: (job: WorkspaceJob, runId: string) => Promise<WorkflowState>;
  /** Called with the error of each failed task. */
  onError: (error: unknown) => void;
}

/** The operation is still open after its command was sent. Keeps the job in the queue, to send it again later. */
export class OperationOpenError extends Error {
  override name = 'OperationOpenError';
}

/**
 * The workflow was signalled and has not completed. The queue stores the message, by which the next attempt knows which
 * run that was.
 */
export class ReschedulingError extends Error {
  override name = 'ReschedulingError';

  constructor(runId: string) {
    super(`The subscriptions are being rescheduled by the run ${runId}.`);
  }

  /** Returns the run that a stored message names; undefined if it is another message. */
  static runOf(message: string | null): string | undefined {
    return /^The subscriptions are being rescheduled by the run (\S+)\.$/.exec(message ?? '')?.[1];
  }
}

/** Creates the outbox's tasks by their stored names. A task that throws leaves its job in the queue for a retry. */
export function createTasks(options: TaskOptions): TaskList {
  const { signals, onError } = options;
  const task =
    <Job>(schema: z.ZodType<Job>, perform: (job: Job, queued: QueuedJob) => Promise<void>): Task =>
    async (payload, { job: queued }) => {
      const job = schema.parse(payload);
      try {
        await perform(job, queued);
      } catch (error) {
        onError(error);
        throw error;
      }
    };
  return {
    'poke-subscription': task(subscriptionJob, signals.subscription),
    'poke-checkout': task(checkoutJob, signals.checkout),
    'poke-refund': task(refundJob, signals.refund),
    'poke-erasure': task(erasureJob, signals.erasure),
    'reschedule-subscriptions': task(workspaceJob, (job, queued) =>
      reschedule(options, job, queued.last_error),
    ),
    'send-operation': task(sendOperationJob, (job) => sendOperation(options, job)),
  } satisfies Record<OutboxTask, unknown>;
}

/**
 * Sends a command until its operation has ended. If Temporal has it as applied and the operation is open, or as pending
 * and the operation has not started, the database was restored to an earlier time: the command is sent once more, as
 * one that Temporal does not know.
 *
 * @throws OperationOpenError while the operation is open
 */
async function sendOperation(options: TaskOptions, job: SendOperationJob): Promise<void> {
  const { commands, hasEnded, hasStarted } = options;
  const { workspaceId, environment, ...command } = job;
  const scope = { workspaceId, environment };
  const send = async (updateId: string): Promise<CommandResult | 'refused'> => {
    try {
      return await commands.send({ scope, ...command, updateId });
    } catch (error) {
      // A refusal ends the operation; it is stored in its row.
      if (!isTollgateError(error) || error.status >= 500) throw error;
      return 'refused';
    }
  };
  if (await hasEnded(scope, job.operationId)) return;
  const result = await send(job.updateId);
  if (await hasEnded(scope, job.operationId)) return;
  if (result === 'applied' || (result === 'pending' && !(await hasStarted(scope, job.operationId)))) {
    await send(`${job.updateId}#${randomUUID()}`);
    if (await hasEnded(scope, job.operationId)) return;
  }
  throw new OperationOpenError(`The operation ${job.operationId} has not ended yet.`);
}

/**
 * Signals the workflow that reschedules a workspace's subscriptions, until it has completed after a signal: it may be
 * terminated or lost in the middle, and no row says how far it came.
 *
 * @param lastError why the job's last attempt failed; null before the first
 * @throws ReschedulingError until the workflow has completed
 */
async function reschedule(
  { signals, rescheduleState }: TaskOptions,
  job: WorkspaceJob,
  lastError: string | null,
): Promise<void> {
  const signalled = ReschedulingError.runOf(lastError);
  if (signalled !== undefined) {
    const state = await rescheduleState(job, signalled);
    if (state === 'completed') return;
    if (state === 'running') throw new ReschedulingError(signalled);
  }
  throw new ReschedulingError(await signals.reschedule(job));
}
