import { abortAfter } from '../../clock/abort-after';
import type { DemoFile } from './demo-file';
import { subscribeAtProviders } from './subscribe-at-providers';

/** Work not done within this time remains for the next start. */
const TIMEOUT_MS = 180_000;

/**
 * Subscribes the demo's customers at the simulated providers, once, through the running service, and prints the result.
 * It never throws, because the service is useful without them.
 *
 * @returns false if customers are missing, or not in their state yet
 */
export async function showProviders({
  demo,
  runsTemporal,
  print,
  stopped,
}: {
  demo: DemoFile;
  /** Without Temporal, nothing can be sent to a provider. */
  runsTemporal: boolean;
  print: (message: string) => void;
  stopped: AbortSignal;
}): Promise<boolean> {
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
    if (stopped.aborted) return false;
    const reason = error instanceof Error ? error.message : String(error);
    print(
      `The demo's customers of the simulated providers could not be created (${reason}); the next start tries again.`,
    );
    return false;
  }
}
