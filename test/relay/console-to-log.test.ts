import { createLogger } from '../../src/telemetry/logger';
import { consoleToLog } from '../../src/relay/console-to-log';

test('what the job queue writes to the console is one line of the log each, until the console is restored', () => {
  const lines: unknown[] = [];
  const log = createLogger('relay', 'info', { write: (line: string) => lines.push(JSON.parse(line)) });
  const written: Console = globalThis.console;
  const before: unknown = Reflect.get(written, 'trace');
  const restore = consoleToLog(log);
  try {
    written.trace(new Error('Connection terminated', { cause: new Error('of a cause') }));
    written.error('Retried 3 times, and still failed:', new Error('refused'));
  } finally {
    restore();
  }
  expect(Reflect.get(written, 'trace')).toBe(before);
  expect(lines).toMatchObject([
    { level: 'warn', detail: 'Error: Connection terminated', msg: 'the job queue warns' },
    { level: 'warn', detail: 'Retried 3 times, and still failed: Error: refused' },
  ]);
});
