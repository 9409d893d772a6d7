import type { OperatorClient } from '../test/support/operator';
import type { Installation } from './installation';
import { pollUntil } from './poll-until';
import { verified } from './verified';

/**
 * Waits until no subscription is behind its sandbox's clock, then compares its charges with its periods.
 *
 * @returns how many periods were renewed
 * @throws Error when a period was charged twice or skipped, or nothing would wake a subscription
 */
export async function renewedOnce(installation: Installation, operator: OperatorClient): Promise<number> {
  const { database, failure } = installation;
  const { body } = await operator.get('/api/sandbox/clock');
  const now = String(body['now']);
  const caughtUp = pollUntil(async () => {
    const behind = await database.query('SELECT FROM tollgate.subscriptions WHERE next_wake_at <= $1', [now]);
    return behind.length === 0 ? true : undefined;
  });
  await Promise.race([failure, caughtUp]);
  const found = await verified(installation);
  if (found.length > 0) throw new Error(found.join('\n'));
  const [charged] = await database.query<{ all: number; once: number; subscriptions: number }>(
    `SELECT count(*)::int AS all, count(DISTINCT (subscription_id, period_start))::int AS once,
            count(DISTINCT subscription_id)::int AS subscriptions
       FROM tollgate.subscription_transactions WHERE kind IN ('initial', 'renewal')`,
  );
  const { all = 0, once = 0, subscriptions = 0 } = charged ?? {};
  if (all !== once) throw new Error(`${all - once} periods were charged more than once.`);
  return all - subscriptions;
}
