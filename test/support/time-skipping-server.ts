import { setTimeout as pause } from 'node:timers/promises';
import { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * The SDK gives the server five seconds, which a busy machine does not always give its Java. A machine that is busy now is
 * less so a little later.
 */
const TRIES = 12;
const PAUSE_MS = 3_000;

/**
 * Temporal's time-skipping server and a client of it; the caller tears it down.
 *
 * @param identity the client's, which stands in histories instead of this machine's name
 * @throws Error when TEMPORAL_TEST_SERVER_PATH is not set, or the server does not start
 */
export async function startTimeSkippingServer(identity?: string): Promise<TestWorkflowEnvironment> {
  const executable = process.env['TEMPORAL_TEST_SERVER_PATH'];
  if (executable === undefined) throw new Error('Set TEMPORAL_TEST_SERVER_PATH, or run npm test.');
  for (let tried = 1; ; tried += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path: executable } },
        ...(identity !== undefined && { client: { identity } }),
      });
    } catch (error) {
      // Not by its class: the SDK's native part throws errors of another realm than the test's.
      if (!String(error).includes('did not start within') || tried === TRIES) throw error;
      await pause(PAUSE_MS);
    }
  }
}
