import { randomUUID } from 'node:crypto';
import {
  WithStartWorkflowOperation,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
  type WorkflowHandleWithFirstExecutionRunId,
} from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import {
  checkoutStart,
  erasureStart,
  refundStart,
  rescheduleStart,
  subscriptionStart,
  type EntityWorkflows,
} from '../../src/temporal/workflow-starts';
import { EARLIER_QUEUES, providersQueue } from '../../src/temporal/task-queues';
import { startTimeSkippingServer } from '../support/time-skipping-server';
import { until } from '../support/until';
import { workflowsInThread } from '../support/workflow-bundle';
import type { Activities } from '../../activities';
import {
  giveUpCheckout,
  poke,
  runOperation,
  type CheckoutInput,
  type ErasureInput,
  type OperationCommand,
  type OperationResult,
  type RefundInput,
  type SubscriptionInput,
  type WorkspaceInput,
} from '../../workflows/messages';
import { searchAttributeKeys } from '../../workflows/search-attributes';

/** Replaces this machine's name, which would be recorded in stored histories. */
const IDENTITY = 'test';
/** `INDEXED_VALUE_TYPE_KEYWORD`. */
const KEYWORD = 2;

/** Thrown when the server never answers a command, however often it is sent. Later tests cannot use that server. */
export class LostCommandError extends Error {}

/** Temporal's time-skipping server with the workflow bundle. The test provides the activities, which are quick. */
export class SkippedTime {
  /** One per worker, so that leftovers of a failed test reach no other test. */
  private taskQueue = 'none';

  private constructor(
    readonly environment: TestWorkflowEnvironment,
    readonly client: Client,
    private readonly code: Awaited<ReturnType<typeof workflowsInThread>>,
  ) {}

  static async start(): Promise<SkippedTime> {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    const environment = await startTimeSkippingServer(IDENTITY);
    const { connection } = environment;
    await connection.operatorService.addSearchAttributes({
      namespace: 'default',
      searchAttributes: Object.fromEntries(searchAttributeKeys.map(({ name }) => [name, KEYWORD])),
    });
    return new SkippedTime(environment, environment.client, await workflowsInThread());
  }

  async stop(): Promise<void> {
    await this.environment.teardown();
  }

  /** Runs part of a test while a worker with these activities runs. */
  async working<Result>(
    activities: Partial<Activities['billing']>,
    work: () => Promise<Result>,
    providers?: Partial<Activities['providers']>,
    queues: { billing: string; providers: string } = {
      billing: `${randomUUID()}-sandbox`,
      providers: providersQueue('sandbox'),
    },
  ): Promise<Result> {
    this.taskQueue = queues.billing;
    const connection = this.environment.nativeConnection;
    const worker = await Worker.create({
      connection,
      taskQueue: this.taskQueue,
      ...this.code,
      identity: IDENTITY,
      activities,
    });
    if (providers === undefined) return worker.runUntil(work);
    const other = await Worker.create({
      connection,
      taskQueue: queues.providers,
      identity: IDENTITY,
      activities: { ...providers },
    });
    return other.runUntil(() => worker.runUntil(work));
  }

  /** Does the same as `working` on the queues that both environments shared in earlier versions. */
  workingOnSharedQueues<Result>(
    activities: Partial<Activities['billing']>,
    providers: Partial<Activities['providers']> | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.working(activities, work, providers, EARLIER_QUEUES);
  }

  /** Advances the server's time, as quickly as the work due in the meantime allows. */
  async pass(milliseconds: number): Promise<void> {
    await this.environment.sleep(milliseconds);
  }

  /**
   * Resolves when the workflow has completed. `result()` would let time skip to the end of every server time-out, which
   * is years.
   */
  async completed(workflowId: string): Promise<void> {
    const handle = this.client.workflow.getHandle(workflowId);
    await until(async () => (await handle.describe()).status.name === 'COMPLETED');
  }

  /** Starts a workflow without arguments. */
  async start(type: string, workflowId: string): Promise<WorkflowHandleWithFirstExecutionRunId> {
    return this.client.workflow.start(type, { workflowId, taskQueue: this.taskQueue });
  }

  /** Pokes a subscription's workflow as the relay does. */
  async poke(input: SubscriptionInput) {
    return this.client.workflow.signalWithStart<EntityWorkflows['subscription']>('subscription', {
      ...this.here(subscriptionStart(input)),
      signal: poke,
    });
  }

  async pokeCheckout(input: CheckoutInput) {
    return this.client.workflow.signalWithStart<EntityWorkflows['checkout']>('checkout', {
      ...this.here(checkoutStart(input)),
      signal: poke,
    });
  }

  async pokeReschedule(input: WorkspaceInput) {
    return this.client.workflow.signalWithStart<EntityWorkflows['reschedule']>('reschedule', {
      ...this.here(rescheduleStart(input)),
      signal: poke,
    });
  }

  async pokeErasure(input: ErasureInput) {
    return this.client.workflow.signalWithStart<EntityWorkflows['customerErasure']>('customerErasure', {
      ...this.here(erasureStart(input)),
      signal: poke,
    });
  }

  async pokeRefund(input: RefundInput) {
    return this.client.workflow.signalWithStart<EntityWorkflows['refund']>('refund', {
      ...this.here(refundStart(input)),
      signal: poke,
    });
  }

  /** Sends a command to a subscription's workflow, as the API does. @throws LostCommandError */
  async command(input: SubscriptionInput, command: OperationCommand): Promise<OperationResult> {
    return this.untilAnswered(() =>
      this.client.workflow.executeUpdateWithStart(runOperation, {
        updateId: `${command.operationId}#${command.attempt}`,
        args: [command],
        startWorkflowOperation: new WithStartWorkflowOperation<EntityWorkflows['subscription']>(
          'subscription',
          this.here(subscriptionStart(input)),
        ),
      }),
    );
  }

  /** @throws LostCommandError */
  async commandRefund(input: RefundInput, command: OperationCommand): Promise<OperationResult> {
    return this.untilAnswered(() =>
      this.client.workflow.executeUpdateWithStart(runOperation, {
        updateId: command.operationId,
        args: [command],
        startWorkflowOperation: new WithStartWorkflowOperation<EntityWorkflows['refund']>(
          'refund',
          this.here(refundStart(input)),
        ),
      }),
    );
  }

  /** Creates a checkout, or gives it up, as the API does. @throws LostCommandError */
  async commandCheckout(
    input: CheckoutInput,
    command: OperationCommand,
    act: 'create' | 'give_up' = 'create',
  ): Promise<OperationResult> {
    return this.untilAnswered(() =>
      this.client.workflow.executeUpdateWithStart(act === 'create' ? runOperation : giveUpCheckout, {
        updateId: `${command.operationId}#${command.attempt}`,
        args: [command],
        startWorkflowOperation: new WithStartWorkflowOperation<EntityWorkflows['checkout']>(
          'checkout',
          this.here(checkoutStart(input)),
        ),
      }),
    );
  }

  /**
   * Sends a command until it is answered, each time in a request of its own with the same id of the update. This server
   * occasionally loses a command that arrives while a run continues as new. And if a command is not answered in time, the
   * client repeats the request, whose start this server recognizes, and fails with a null pointer.
   *
   * @throws LostCommandError when the server has also lost the workflow task: no worker gets it, and it never times out
   */
  private async untilAnswered<Result>(send: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.client.withDeadline(Date.now() + 4_000, send);
      } catch (error) {
        if (error instanceof WorkflowUpdateFailedError) throw error;
        if (tries < 5) continue;
        throw error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ? new LostCommandError() : error;
      }
    }
  }

  private here<Options extends { taskQueue: string }>(options: Options): Options {
    return { ...options, taskQueue: this.taskQueue };
  }
}
