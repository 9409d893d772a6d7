import fc from 'fast-check';
import { nextAttemptAt, readRetryAfter } from '../../src/domain/webhook-schedule';
import { HOUR_MS } from '../../src/domain/instant';

const at = fc.integer({ min: 0, max: 4_000_000_000_000 });
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const retryAfter = fc.option(fc.integer({ min: 0, max: 1_000_000_000_000 }));

test('ten attempts over three days, whatever the jitter', () => {
  fc.assert(
    fc.property(at, fc.array(random, { minLength: 9, maxLength: 9 }), (first, jitters) => {
      let now = first;
      const pauses = jitters.map((jitter, index) => {
        const next = nextAttemptAt({ attempts: index + 1, failedAt: now, retryAfterMs: null }, jitter);
        const pause = (next ?? Number.NaN) - now;
        now += pause;
        return pause;
      });
      // Each pause is longer than the one before, and together they are three days, give or take the jitter.
      pauses.slice(1).forEach((pause, index) => {
        expect(pause).toBeGreaterThan(pauses[index] ?? Number.NaN);
      });
      expect(now - first).toBeGreaterThan(72 * HOUR_MS * 0.9 - HOUR_MS);
      expect(now - first).toBeLessThan(72 * HOUR_MS * 1.1);
      const last = { attempts: 10, failedAt: now, retryAfterMs: null };
      expect(nextAttemptAt(last, 0)).toBeNull();
    }),
  );
});

test('the pauses are those that integrators are told', () => {
  const attempts = Array.from({ length: 9 }, (_, index) => index + 1);
  const pauses = attempts.map((made) =>
    nextAttemptAt({ attempts: made, failedAt: 0, retryAfterMs: null }, 0.5),
  );
  const hours = [2, 6, 14, 22, 27].map((count) => count * HOUR_MS);
  expect(pauses).toEqual([5_000, 60_000, 300_000, 1_800_000, ...hours]);
});

test('a receiver may ask for a longer pause, within bounds, and never for a shorter one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      at,
      retryAfter,
      random,
      (attempts, failedAt, retryAfterMs, jitter) => {
        const usual = nextAttemptAt({ attempts, failedAt, retryAfterMs: null }, jitter) ?? Number.NaN;
        const next = nextAttemptAt({ attempts, failedAt, retryAfterMs }, jitter) ?? Number.NaN;
        expect(next).toBeGreaterThanOrEqual(usual);
        expect(next).toBe(Math.max(usual, failedAt + Math.min(retryAfterMs ?? 0, 6 * HOUR_MS)));
      },
    ),
  );
});

test.each([
  ['120', 120_000],
  ['0', 0],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 60_000],
  ['Wed, 21 Oct 2026 07:00:00 GMT', 0],
  ['-1', null],
  ['1.5', null],
  ['soon', null],
  ['Wed, 99 Abc 2026 07:28:00 GMT', null],
  ['9'.repeat(400), null],
  [undefined, null],
])('Retry-After %s asks for %s', (header, pause) => {
  expect(readRetryAfter(header, Date.parse('2026-10-21T07:27:00Z'))).toBe(pause);
});
