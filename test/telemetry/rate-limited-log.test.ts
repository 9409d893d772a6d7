import { createLogger } from '../../src/telemetry/logger';
import { createRateLimitedLog } from '../../src/telemetry/rate-limited-log';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-12-01T12:00:00Z');

/** Returns a log on a clock that the test sets, with the lines that it has written. */
function openLog() {
  const lines: string[] = [];
  const clock = { at: START, now: () => clock.at };
  const log = createRateLimitedLog(
    createLogger('test', 'info', { write: (line: string) => lines.push(line) }),
    clock,
  );
  return { log, clock, lines };
}

test('a subject is logged once a minute, with the number of lines suppressed', () => {
  const { log, clock, lines } = openLog();
  log.warn('relay', {}, 'failed');
  clock.at += 59_999;
  log.warn('relay', {}, 'failed');
  expect(lines).toHaveLength(1);
  clock.at += 1;
  log.warn('relay', {}, 'failed');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('"notLogged":1');
});

test('a subject is logged again after a clock that was an hour ahead is set back', () => {
  const { log, clock, lines } = openLog();
  clock.at += HOUR_MS;
  log.error('relay', {}, 'failed');
  clock.at -= HOUR_MS;
  log.error('relay', {}, 'failed');
  log.error('relay', {}, 'failed');
  expect(lines).toHaveLength(2);
});
