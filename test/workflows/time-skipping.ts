import { randomUUID } from 'node:crypto';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import path from 'node:path';
import { subscriptionWorkflowId } from '../../src/temporal/workflow-ids';
import { until } from '../support/until';
import type { SubscriptionActivities, SweepActivities } from '../../workflows/activity-types';
import { poke, type SubscriptionInput } from '../../workflows/messages';
import { searchAttributeKeys, workspaceIdKey } from '../../workflows/search-attributes';
import type { subscription } from '../../workflows/subscription';

export const WORKFLOWS = path.join(__dirname, '..', '..', 'workflows');
/** Instead of this machine's name, which would stand in stored histories. */
const IDENTITY = 'test';
/** `INDEXED_VALUE_TYPE_KEYWORD`. */
const KEYWORD = 2;

/** Temporal's time-skipping server with the workflows' bundle; activities are the test's own, and quick. */
export class SkippedTime {
  /** One for each worker, so that what a failed test leaves behind is no other test's. */
  private taskQueue = 'none';

  private constructor(
    readonly environment: TestWorkflowEnvironment,
    readonly client: Client,
    private readonly bundle: Awaited<ReturnType<typeof bundleWorkflowCode>>,
  ) {}

  static async start(): Promise<SkippedTime> {
    const executable = process.env['TEMPORAL_TEST_SERVER_PATH'];
    if (executable === undefined) throw new Error('Set TEMPORAL_TEST_SERVER_PATH, or run npm test.');
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    const environment = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path: executable } },
      client: { identity: IDENTITY },
    });
    const { connection } = environment;
    await connection.operatorService.addSearchAttributes({
      namespace: 'default',
      searchAttributes: Object.fromEntries(searchAttributeKeys.map(({ name }) => [name, KEYWORD])),
    });
    const bundle = await bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger: new DefaultLogger('ERROR') });
    return new SkippedTime(environment, environment.client, bundle);
  }

  async stop(): Promise<void> {
    await this.environment.teardown();
  }

  /** Runs a piece of test while a worker with these activities works. */
  async working<Result>(
    activities: Partial<SubscriptionActivities & SweepActivities>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    this.taskQueue = randomUUID();
    const worker = await Worker.create({
      connection: this.environment.nativeConnection,
      taskQueue: this.taskQueue,
      workflowBundle: this.bundle,
      identity: IDENTITY,
      activities,
    });
    return worker.runUntil(work);
  }

  /** Lets the server's time pass, as quickly as what happens meanwhile allows. */
  async pass(milliseconds: number): Promise<void> {
    await this.environment.sleep(milliseconds);
  }

  /**
   * Resolves when the workflow has completed. `result()` would let time run on to the end of every time-out of the
   * server's, which is years.
   */
  async completed(workflowId: string): Promise<void> {
    const handle = this.client.workflow.getHandle(workflowId);
    await until(async () => (await handle.describe()).status.name === 'COMPLETED');
  }

  /** Starts a workflow without arguments. */
  async start(type: string, workflowId: string): Promise<WorkflowHandle> {
    return this.client.workflow.start(type, { workflowId, taskQueue: this.taskQueue });
  }

  /** Pokes a subscription's workflow as the relay does. */
  async poke(input: SubscriptionInput) {
    return this.client.workflow.signalWithStart<typeof subscription>('subscription', {
      workflowId: subscriptionWorkflowId(input.environment, input.subscriptionId),
      taskQueue: this.taskQueue,
      args: [input],
      signal: poke,
      typedSearchAttributes: [{ key: workspaceIdKey, value: input.workspaceId }],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
  }
}
