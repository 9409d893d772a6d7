import type { OperatorClient } from '../test/support/operator';
import type { Installation } from './installation';
import { pollUntil } from './poll-until';

/** Advances the sandbox's clock, and with it the simulators' clock. Retries a request that is cut off. */
export async function moveClock(
  { failure }: Installation,
  operator: OperatorClient,
  milliseconds: number,
): Promise<void> {
  const options = { env: null, query: { organizationId: operator.workspaceId, env: 'sandbox' } } as const;
  let to: number | undefined;
  await Promise.race([
    failure,
    pollUntil(async () => {
      try {
        const { status, body } = await operator.get('/api/sandbox/clock');
        if (status !== 200) return undefined;
        const now = Date.parse(String(body['now']));
        to ??= now + milliseconds;
        if (now >= to) return true;
        await operator.post('/api/sandbox/clock', {
          ...options,
          body: { to: new Date(to).toISOString() },
        });
      } catch {
        // The API's process is restarting.
      }
      return undefined;
    }),
  ]);
}
