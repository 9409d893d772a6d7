import type { Clock } from '../../clock/clock';
import type { Database } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import type { Claim } from '../../idempotency/idempotency-store';
import type { Actor, WorkspaceScope } from '../../tenancy/scope';
import type { CommandSender } from '../../operations/command-sender';
import type { OperationHandlers } from './operation-handler';
import type { OperationResource } from '../../operations/operation-resource';
import { readOperation } from '../../operations/read-operation';
import { runOperation, type OperationRunResult } from './run-operation';
import { submitCommand, type Command } from '../../operations/submit-command';
import type { SubmitResult } from '../../operations/submit-result';

export type { Command } from '../../operations/submit-command';
export type { SubmitResult as Submitted } from '../../operations/submit-result';

/** Carries accepted commands out; a workflow asks for it, one at a time for each subscription. */
export interface OperationRunner {
  /**
   * Carries the operation out once, in one transaction with its answer. One that has succeeded stays as it is.
   *
   * @param at the workspace's time
   * @throws TollgateError the refusal, after it was noted on the operation. Anything else is worth another try.
   */
  run(scope: WorkspaceScope, operationId: string, at: Instant): Promise<OperationRunResult>;
}

/** The commands on subscriptions: accepted, carried out by their workflow, and looked up. */
export interface Operations extends OperationRunner {
  /**
   * Accepts a command under its key, has it carried out, and gives its answer, or the operation where that takes
   * longer than a caller should wait. What was answered before is replayed without Temporal.
   *
   * @throws TollgateError subscription_not_found, idempotency_key_reused, temporal_unavailable, service_busy, and
   *   the refusals of the command's handler
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

/** The part that a worker needs. */
export function createOperationRunner(options: OperationsOptions): OperationRunner {
  return { run: (scope, operationId, at) => runOperation(options, scope, operationId, at) };
}

export function createOperations(options: OperationsOptions & { commands: CommandSender }): Operations {
  return {
    ...createOperationRunner(options),
    submit: (actor, command, claim) => submitCommand(options, actor, command, claim),
    get: (actor, id) => readOperation(options.database, actor, id),
  };
}
