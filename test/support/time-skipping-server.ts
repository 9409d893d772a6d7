import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { findFreePort } from '../../src/embedded/free-port';
import { acceptsConnections } from './accepts-connections';
import { until } from './until';

/**
 * Starts Temporal's time-skipping server and a client for it; the caller tears it down.
 *
 * The SDK would start the server itself but wait only five seconds, which is not always enough for Java on a busy
 * machine.
 *
 * @param identity the client's identity, recorded in histories instead of this machine's name
 * @throws Error when TEMPORAL_TEST_SERVER_PATH is not set, or the server does not start
 */
export async function startTimeSkippingServer(identity?: string): Promise<TestWorkflowEnvironment> {
  const port = await findFreePort();
  const server = await startServer(port);
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    // It keeps nothing, and its own shutdown waits for the calls that it is still answering.
    server.kill('SIGKILL');
    await ended;
  };
  try {
    const environment = await TestWorkflowEnvironment.createTimeSkipping({
      // The SDK starts `sleep` instead of the server, and passes it the port, which serves as the number of seconds.
      server: { executable: { type: 'existing-path', path: '/bin/sleep' }, port },
      ...(identity !== undefined && { client: { identity } }),
    });
    const teardown = environment.teardown.bind(environment);
    environment.teardown = async () => {
      try {
        await teardown();
      } finally {
        await stop();
      }
    };
    return environment;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the server. Resolves when it accepts connections. */
async function startServer(port: number): Promise<ChildProcess> {
  const executable = process.env['TEMPORAL_TEST_SERVER_PATH'];
  if (executable === undefined) throw new Error('Set TEMPORAL_TEST_SERVER_PATH, or run npm test.');
  const server = spawn(executable, [String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  server.stderr.on('data', (part: Buffer) => (errors += part.toString()));
  await once(server, 'spawn');
  await until(async () => {
    if (server.exitCode !== null) throw new Error(`The time-skipping server did not start: ${errors}`);
    return acceptsConnections(port);
  });
  return server;
}
