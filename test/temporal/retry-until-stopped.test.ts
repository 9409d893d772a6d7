import { pino } from 'pino';
import { retryUntilStopped } from '../../src/temporal/retry-until-stopped';

function listening() {
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push((JSON.parse(line) as { level: string }).level);
  };
  const log = pino({ level: 'debug', formatters: { level: (label) => ({ level: label }) } }, { write });
  return { lines, log };
}

test('tries again after a failure, and logs only the first one', async () => {
  const stopping = new AbortController();
  const { lines, log } = listening();
  let rounds = 0;
  const work = (): Promise<void> => {
    rounds += 1;
    if (rounds === 3) stopping.abort();
    return rounds < 3 ? Promise.reject(new Error('away')) : Promise.resolve();
  };
  await retryUntilStopped('the test', work, { stopping: stopping.signal, log });
  expect(rounds).toBe(3);
  expect(lines).toEqual(['warn', 'debug']);
});
