import type { WebhookOutbox } from '../../simulators/core/types';

/** Delivers all webhooks, and resends at once those answered 503 because a busy machine had no free connection. */
export async function deliverWebhooks(outbox: WebhookOutbox): Promise<void> {
  await outbox.flush();
  const isRefused = () => outbox.deliveries.some(({ attempts }) => attempts.at(-1)?.status === 503);
  for (let retries = 0; retries < 5 && isRefused(); retries += 1) await outbox.retryNow();
}
