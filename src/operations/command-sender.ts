import { TollgateError } from '../domain/errors';
import type { CommandMessage } from '../outbox/command-message';

/** The way to the workflows, which do one thing at a time for each subscription. */
export interface CommandSender {
  /**
   * Has the operation run, and waits for it.
   *
   * @returns `applied` when its answer is stored; `pending` when it was not done in time and may still be
   * @throws TollgateError the refusal; temporal_unavailable, service_busy when nothing was accepted
   */
  send(command: CommandMessage): Promise<'applied' | 'pending'>;
}

/** Seconds: nobody will configure Temporal within a moment. */
const RETRY_AFTER_SECONDS = 60;

/** Where no Temporal is configured: nothing is accepted, and replays go on. */
export const unavailableCommandSender: CommandSender = {
  send: () =>
    Promise.reject(
      new TollgateError('temporal_unavailable', 'No Temporal is configured for this service.', {
        retryAfter: RETRY_AFTER_SECONDS,
      }),
    ),
};
