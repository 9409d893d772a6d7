import type { Clock } from '../../clock/system-clock';
import type { Database } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import type { Claim } from '../../idempotency/idempotency-store';
import type { Actor, WorkspaceScope } from '../../tenancy/actor';
import type { CommandSender } from '../../operations/command-sender';
import type { OperationHandlers } from '../operation-handler';
import type { AcceptedCommands } from '../accepted-commands';
import type { OperationResource } from '../../operations/operation-resource';
import { readOperation } from '../../operations/read-operation';
import { runAccepted, runInOrder } from './run-in-order';
import type { OperationRunResult } from './run-operation';
import { submitCommand, type Command } from '../../operations/submit-command';
import type { SubmitResult } from '../../operations/submit-result';

/** Runs accepted commands. Workflows call it, one call at a time per subscription. */
export interface OperationRunner extends AcceptedCommands {
  /**
   * Applies the operation once and stores its answer in the same transaction. Earlier open operations of the
   * subscription are applied first. An operation that has ended is left unchanged.
   *
   * @param at the workspace's time
   * @throws TollgateError the refusal, once it is stored on the operation; any other error can be retried
   */
  run(scope: WorkspaceScope, operationId: string, at: Instant): Promise<OperationRunResult>;
}

/** Submits, runs and reads commands on subscriptions. */
export interface Operations extends OperationRunner {
  /**
   * Accepts a command under its key, makes its workflow run it, and returns its answer, or the open operation if that
   * takes longer than five seconds. A stored answer is replayed without Temporal.
   *
   * @throws TollgateError subscription_not_found, idempotency_key_reused, temporal_unavailable, service_busy, and the
   *   refusals of the command's handler
   */
  submit(actor: Actor, command: Command, claim: Claim): Promise<SubmitResult>;
  /** @throws TollgateError operation_not_found */
  get(actor: Actor, id: string): Promise<OperationResource>;
}

interface OperationsOptions {
  database: Database;
  clock: Clock;
  handlers: OperationHandlers;
}

/** Creates the part of {@link Operations} that a worker needs. */
export function createOperationRunner(options: OperationsOptions): OperationRunner {
  return {
    run: (scope, operationId, at) => runInOrder(options, scope, operationId, at),
    runAccepted: (scope, operationIds, at) => runAccepted(options, scope, operationIds, at),
  };
}

export function createOperations(options: OperationsOptions & { commands: CommandSender }): Operations {
  return {
    ...createOperationRunner(options),
    submit: (actor, command, claim) => submitCommand(options, actor, command, claim),
    get: (actor, id) => readOperation(options.database, actor, id),
  };
}
