import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import {
  giveUpCheckout,
  runOperation,
  type OperationCommand,
  type OperationResult,
} from '../../workflows/messages';
import type { Clock } from '../clock/clock';
import type { SentCommand } from '../outbox/sent-command';
import type { SubscriptionCommands } from '../operations/commands';
import { CALL_MS } from './client';
import { commandFailure } from './command-failures';
import { checkoutStart, refundStart, subscriptionStart, type EntityWorkflows } from './workflow-starts';

/** Less than this is not worth another try (milliseconds). */
const WORTHWHILE_MS = 200;
/** Before a call that came just as a run ended is sent again. */
const PAUSE_MS = 100;

/**
 * Sends commands to their workflows, starting those that are not there, and waits up to five seconds. One update id is
 * one command: however often it is sent, it is done once. A refusal that Temporal still holds from an earlier sending
 * is decided anew, under an id of its own.
 */
export function createSubscriptionCommands(client: Client, clock: Clock): SubscriptionCommands {
  return {
    async send(command) {
      const until = clock.now() + CALL_MS;
      const sent = { operationId: command.operationId, attempt: randomUUID() };
      let { updateId } = command;
      for (;;) {
        try {
          return await client.withDeadline(until, () => execute(client, command, updateId, sent));
        } catch (error) {
          const failure = commandFailure(error, sent.attempt);
          if (failure.kind === 'failed') throw failure.error;
          if (failure.kind === 'pending' || clock.now() + WORTHWHILE_MS >= until) return 'pending';
          if (failure.kind === 'refused_before') updateId = `${command.updateId}#${sent.attempt}`;
          else await pause(PAUSE_MS);
        }
      }
    },
  };
}

async function execute(
  client: Client,
  { scope, target, act }: SentCommand,
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
    return client.workflow.executeUpdateWithStart(act === 'give_up' ? giveUpCheckout : runOperation, {
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
