import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookOutbox } from '../../simulators/core/types';

/**
 * Delivers all webhooks, and resends those answered 503 because a busy machine had no free connection. What is then
 * still refused stays so: a test may want it.
 */
export async function deliverWebhooks(outbox: WebhookOutbox): Promise<void> {
  await outbox.flush();
  for (let retries = 0; retries < 5; retries += 1) {
    const refused = outbox.deliveries.filter(({ attempts }) => attempts.at(-1)?.status === 503);
    if (refused.length === 0) return;
    await pause(50 * retries);
    // Not all that were not accepted: a test may have lost others on purpose.
    for (const { id } of refused) outbox.resend(id);
    await outbox.flush();
  }
}
