/**
 * Runs the simulated providers as a separate process: prints their addresses as one line of JSON, and ends on SIGINT or
 * SIGTERM.
 *
 *   node dist/simulators/main.js [port of A] [of B] [of C] [of the control] [--state <file>]
 *
 * 0, or no port, takes a free one. With a state file the next process continues where this one ended, however it ended.
 */
import { parseArgs } from 'node:util';
import { startSimulators } from './start';

async function main(args: string[]): Promise<void> {
  const options = { state: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
  const [a = 0, b = 0, c = 0, control = 0] = positionals.map(readPort);
  const running = await startSimulators({
    ports: { a, b, c, control },
    stateFile: values.state,
    report: (message) => process.stderr.write(`${message}\n`),
  });
  process.stdout.write(`${JSON.stringify(running.urls)}\n`);
  const stop = (): void => {
    void running.stop();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new RangeError(`Not a port: ${text}`);
  return port;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
