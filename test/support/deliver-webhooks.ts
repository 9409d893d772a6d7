import type { WebhookOutbox } from '../../simulators/core/types';
import { until } from './until';

/** Delivers all webhooks, and resends those answered 503 because a busy machine had no free connection. */
export async function deliverWebhooks(outbox: WebhookOutbox): Promise<void> {
  await outbox.flush();
  // Not all that were not accepted: a test may have lost others on purpose.
  const refused = () => outbox.deliveries.filter(({ attempts }) => attempts.at(-1)?.status === 503);
  if (refused().length === 0) return;
  await until(
    async () => {
      for (const { id } of refused()) outbox.resend(id);
      await outbox.flush();
      return refused().length === 0;
    },
    () =>
      `webhooks are still answered 503: ${refused()
        .map(({ id }) => id)
        .join(', ')}`,
  );
}
