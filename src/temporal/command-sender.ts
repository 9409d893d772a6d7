import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import {
  giveUpCheckout,
  runOperation,
  type OperationCommand,
  type OperationResult,
} from '../../workflows/messages';
import type { Clock } from '../clock/system-clock';
import type { CommandMessage } from '../outbox/command-message';
import type { CommandResult, CommandSender } from '../operations/command-sender';
import { CALL_TIMEOUT_MS } from './client';
import { CommandQueues } from './command-queues';
import { classifyCommandFailure } from './command-failures';
import { checkoutStart, refundStart, subscriptionStart, type EntityWorkflows } from './workflow-starts';

/** With less time than this remaining, a command is not sent again. */
const MIN_REMAINING_MS = 200;
/** The pause before resending a call that met the end of a run. */
const RETRY_DELAY_MS = 100;

/**
 * Sends commands to their workflows by update-with-start, and waits up to five seconds. Temporal deduplicates by update
 * id: a command sent several times runs once. If Temporal returns the stored refusal of an earlier attempt, or the run
 * was cancelled, the command is sent again under a new update id. A command whose turn does not come within the five
 * seconds is unanswered too.
 */
export function createCommandSender(client: Client, clock: Clock): CommandSender {
  const queues = new CommandQueues();
  return {
    async send(command) {
      const begun = performance.now();
      // Uses elapsed time: if the machine's clock were set back, the caller would wait that much longer.
      const left = (): number => CALL_TIMEOUT_MS - (performance.now() - begun);
      const leave = await queues.enter(command.target.id, CALL_TIMEOUT_MS - MIN_REMAINING_MS);
      if (leave === undefined) return 'unanswered';
      try {
        return await sendWithin(left, client, clock, command);
      } finally {
        leave();
      }
    },
  };
}

async function sendWithin(
  left: () => number,
  client: Client,
  clock: Clock,
  command: CommandMessage,
): Promise<CommandResult> {
  const sent = { operationId: command.operationId, attempt: randomUUID() };
  let { updateId } = command;
  for (;;) {
    try {
      return await client.withDeadline(clock.now() + left(), () => execute(client, command, updateId, sent));
    } catch (error) {
      const failure = classifyCommandFailure(error, sent.attempt);
      if (failure.kind === 'failed') throw failure.error;
      if (failure.kind === 'pending' || left() <= MIN_REMAINING_MS) return 'unanswered';
      if (failure.kind === 'refused_before') {
        updateId = `${command.updateId}#${sent.attempt}`;
        continue;
      }
      if (failure.kind === 'cancelled') updateId = `${command.updateId}#${randomUUID()}`;
      await pause(RETRY_DELAY_MS);
    }
  }
}

async function execute(
  client: Client,
  { scope, target, action }: CommandMessage,
  updateId: string,
  sent: OperationCommand,
): Promise<OperationResult> {
  const { workspaceId, environment } = scope;
  const update = { updateId, args: [sent] as [OperationCommand] };
  if (target.kind === 'refund') {
    const start = refundStart({ workspaceId, environment, refundId: target.id });
    return client.workflow.executeUpdateWithStart(runOperation, {
      ...update,
      startWorkflowOperation: new WithStartWorkflowOperation<EntityWorkflows['refund']>('refund', start),
    });
  }
  if (target.kind === 'checkout') {
    const start = checkoutStart({ workspaceId, environment, checkoutId: target.id });
    return client.workflow.executeUpdateWithStart(action === 'give_up' ? giveUpCheckout : runOperation, {
      ...update,
      startWorkflowOperation: new WithStartWorkflowOperation<EntityWorkflows['checkout']>('checkout', start),
    });
  }
  const start = subscriptionStart({ workspaceId, environment, subscriptionId: target.id });
  return client.workflow.executeUpdateWithStart(runOperation, {
    ...update,
    startWorkflowOperation: new WithStartWorkflowOperation<EntityWorkflows['subscription']>(
      'subscription',
      start,
    ),
  });
}
