import { Client } from 'pg';
import { DEMO_LOCK } from '../../db/advisory-locks';

/**
 * Runs `work` unless another process creates or resets the demo. A reset removes what the other is creating.
 *
 * @param adminUrl a superuser's URL of the service's database
 * @returns false if another process does so
 */
export async function withDemoLock(
  adminUrl: string,
  work: (client: Client) => Promise<void>,
): Promise<boolean> {
  const client = new Client({ connectionString: adminUrl });
  // A lost connection fails the next query. Without a listener it would end the process first.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // The session holds the lock, so it is released when this process ends.
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_lock(${DEMO_LOCK}) AS taken`,
    );
    if (rows[0]?.taken !== true) return false;
    await work(client);
    return true;
  } finally {
    await client.end();
  }
}
