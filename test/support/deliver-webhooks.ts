import type { WebhookOutbox } from '../../simulators/core/types';

/** Has all webhooks delivered; one that a busy machine had no connection for (503) is sent again at once. */
export async function deliverWebhooks(outbox: WebhookOutbox): Promise<void> {
  await outbox.flush();
  const isRefused = () => outbox.deliveries.some(({ attempts }) => attempts.at(-1)?.status === 503);
  for (let retries = 0; retries < 5 && isRefused(); retries += 1) await outbox.retryNow();
}
