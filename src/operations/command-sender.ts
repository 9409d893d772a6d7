import { TollgateError } from '../domain/errors';
import type { CommandMessage } from '../outbox/command-message';

/** Sends commands to their workflows, each of which processes one command at a time. */
export interface CommandSender {
  /**
   * Sends a command to its workflow and waits up to five seconds for the result.
   *
   * @throws TollgateError the refusal; temporal_unavailable or service_busy if the command was not accepted
   */
  send(command: CommandMessage): Promise<CommandResult>;
}

/**
 * `applied`: the answer is stored. `pending`: the workflow has run the command, whose provider has not decided yet.
 * `unanswered`: the wait timed out, and the command may still complete.
 */
export type CommandResult = 'applied' | 'pending' | 'unanswered';

/** Long, because configuring Temporal takes a redeployment. */
const RETRY_AFTER_SECONDS = 60;

/** Used if no Temporal is configured: every command is refused, while stored answers are still replayed. */
export const unavailableCommandSender: CommandSender = {
  send: () =>
    Promise.reject(
      new TollgateError('temporal_unavailable', 'No Temporal is configured for this service.', {
        retryAfter: RETRY_AFTER_SECONDS,
      }),
    ),
};
