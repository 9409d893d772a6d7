import { abortAfter } from '../../clock/abort-after';
import type { DemoFile } from './demo-file';
import { withDemoLock } from './demo-lock';
import { subscribeAtProviders } from './subscribe-at-providers';
import { isResetUnfinished } from './unfinished-reset';
import { errorMessage } from '../../domain/errors';

/** Work not done within this time remains for the next start. */
const TIMEOUT_MS = 180_000;

interface ShowOptions {
  demo: DemoFile;
  /** Without Temporal, nothing can be sent to a provider. */
  runsTemporal: boolean;
  print: (message: string) => void;
  stopped: AbortSignal;
}

/**
 * As `showProviders`, for a start: a reset is refused meanwhile, because it would remove customers that are then not
 * created again. A reset that has begun creates all of them itself. After one that was interrupted, the sandbox lacks
 * the plans to subscribe them to, so this only says how to restore it: the sandbox may have been put to another use.
 */
export async function showProvidersUnlessReset({
  adminUrl,
  dataDirectory,
  ...options
}: ShowOptions & { adminUrl: string; dataDirectory: string }): Promise<void> {
  try {
    await withDemoLock(adminUrl, async () => {
      if (await isResetUnfinished(dataDirectory))
        options.print(
          'The last npm run demo:reset was interrupted, so the demo is incomplete. Run it again from a second shell.',
        );
      else await showProviders(options);
    });
  } catch (error) {
    printFailure(options, error);
  }
}

/**
 * Subscribes the demo's customers at the simulated providers, once, through the running service, and prints the result.
 * It never throws, because the service is useful without them.
 *
 * @returns false if customers are missing, or not in their state yet
 */
export async function showProviders(options: ShowOptions): Promise<boolean> {
  const { demo, runsTemporal, print, stopped } = options;
  if (!runsTemporal) return true;
  try {
    const { made, failures } = await subscribeAtProviders(demo, abortAfter(TIMEOUT_MS, stopped));
    if (stopped.aborted) return false;
    if (made > 0)
      print(`${made} customers of the demo are billed by the simulated providers: demo_a_… to demo_c_….`);
    if (failures.length > 0) {
      print(
        `The next start tries the other customers of the simulated providers again:\n${failures.join('\n')}`,
      );
    }
    return failures.length === 0;
  } catch (error) {
    printFailure(options, error);
    return false;
  }
}

function printFailure({ print, stopped }: ShowOptions, error: unknown): void {
  if (stopped.aborted) return;
  const reason = errorMessage(error);
  print(
    `The demo's customers of the simulated providers could not be created (${reason}); the next start tries again.`,
  );
}
