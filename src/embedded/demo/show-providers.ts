import type { DemoFile } from './demo-file';
import { subscribeAtProviders } from './subscribe-at-providers';

/** After this the rest is left to the next start (milliseconds). */
const PATIENCE = 180_000;

/**
 * Has customers of the demo billed by the simulated providers, once, while the service runs already, and says what came
 * of it. It never fails: the service is of use without them.
 */
export async function showProviders({
  demo,
  runsTemporal,
  say,
  stopped,
}: {
  demo: DemoFile;
  /** Nothing goes to a provider without it. */
  runsTemporal: boolean;
  say: (message: string) => void;
  stopped: AbortSignal;
}): Promise<void> {
  if (!runsTemporal) return;
  try {
    const { made, failures } = await subscribeAtProviders(
      demo,
      AbortSignal.any([stopped, AbortSignal.timeout(PATIENCE)]),
    );
    if (stopped.aborted) return;
    if (made > 0)
      say(`${made} customers of the demo are billed by the simulated providers: demo_a_… to demo_c_….`);
    if (failures.length > 0) {
      say(
        `The next start tries the other customers of the simulated providers again:\n${failures.join('\n')}`,
      );
    }
  } catch (error) {
    if (stopped.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    say(
      `The demo's customers of the simulated providers could not be made (${reason}); the next start tries again.`,
    );
  }
}
