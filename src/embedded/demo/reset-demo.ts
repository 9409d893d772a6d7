import { clearSandbox, findOthersAtSimulators } from './clear-sandbox';
import type { DemoFile } from './demo-file';
import { withDemoLock } from './demo-lock';

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
  /** Called before the first change. */
  onBegin: () => Promise<void>;
  /** Restarts the simulated providers without their state. */
  emptySimulators: () => Promise<void>;
  /** Fills the sandbox, and the providers, as the first start does. */
  fillSandbox: () => Promise<void>;
}

/**
 * Resets the demo's sandbox to what the first start created, with the same keys and connections. It is refused
 * while another reset, or the first start, is creating the demo, because each would remove what the other creates.
 *
 * @throws DemoNotResetError before anything is changed
 */
export async function resetDemo(options: ResetOptions): Promise<void> {
  const { demo, organizationId, adminUrl, onBegin, emptySimulators, fillSandbox } = options;
  if (organizationId !== demo.organizationId) {
    throw new DemoNotResetError(
      `demo.json names the organization ${demo.organizationId}, which is not the demo's in this database. Nothing was changed.`,
    );
  }
  const isFree = await withDemoLock(adminUrl, async (client) => {
    const others = await findOthersAtSimulators(client, organizationId);
    if (others.length > 0) {
      throw new DemoNotResetError(
        `The simulated providers cannot be emptied: ${others.join(', ')} has subscriptions there in another environment than the demo's sandbox, or a sandbox clock that they follow. Nothing was changed. To begin again without any of it, stop the demo, remove its data directory, and start it.`,
      );
    }
    await onBegin();
    await clearSandbox(client, organizationId);
    // They adopt the time of the sandbox that is furthest ahead, which is no longer the demo's.
    await emptySimulators();
    await fillSandbox();
  });
  if (!isFree)
    throw new DemoNotResetError(
      'The demo is already being created or reset: wait until that has ended, and try again.',
    );
}
