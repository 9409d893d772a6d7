import { Client } from 'pg';
import { DEMO_RESET_LOCK } from '../../db/advisory-locks';
import { clearSandbox, findOthersAtSimulators } from './clear-sandbox';
import type { DemoFile } from './demo-file';

/** The demo cannot be reset in its current state. The message says what to do. */
export class DemoNotResetError extends Error {
  override name = 'DemoNotResetError';
}

export interface ResetOptions {
  demo: DemoFile;
  /** The organization of the demo's operator; undefined if there is none. */
  organizationId: string | undefined;
  /** A superuser's URL of the service's database. */
  adminUrl: string;
  /** Restarts the simulated providers without their state. */
  emptySimulators: () => Promise<void>;
  /** Fills the sandbox, and the providers, as the first start does. */
  fillSandbox: () => Promise<void>;
}

/**
 * Resets the demo's sandbox to what the first start created, with the same keys and connections. A second reset of the
 * database is refused until this one has ended, because each would remove what the other creates.
 *
 * @throws DemoNotResetError before anything is changed
 */
export async function resetDemo(options: ResetOptions): Promise<void> {
  const { demo, organizationId, adminUrl, emptySimulators, fillSandbox } = options;
  if (organizationId !== demo.organizationId) {
    throw new DemoNotResetError(
      `demo.json names the organization ${demo.organizationId}, which is not the demo's in this database. Nothing was changed.`,
    );
  }
  const client = new Client({ connectionString: adminUrl });
  // A lost connection fails the next query. Without a listener it would end the process first.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // The session holds the lock, so it is released when this process ends.
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_lock(${DEMO_RESET_LOCK}) AS taken`,
    );
    if (rows[0]?.taken !== true)
      throw new DemoNotResetError('The demo is already being reset: wait until that has ended.');
    const others = await findOthersAtSimulators(client, organizationId);
    if (others.length > 0) {
      throw new DemoNotResetError(
        `The simulated providers cannot be emptied: ${others.join(', ')} has subscriptions there in another environment than the demo's sandbox, or a sandbox clock that they follow. Nothing was changed.`,
      );
    }
    await clearSandbox(client, organizationId);
    // They adopt the time of the sandbox that is furthest ahead, which is no longer the demo's.
    await emptySimulators();
    await fillSandbox();
  } finally {
    await client.end();
  }
}
