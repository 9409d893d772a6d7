import fc from 'fast-check';
import { MAX_KEY_REQUESTS, shareOf } from '../../src/domain/key-limits';

const limits = fc.record({
  requestsPerSecond: fc.integer({ min: 1, max: MAX_KEY_REQUESTS }),
  concurrentRequests: fc.integer({ min: 1, max: MAX_KEY_REQUESTS }),
});

test('one process has all of a limit', () => {
  fc.assert(
    fc.property(limits, (whole) => {
      expect(shareOf(whole, 1)).toEqual(whole);
      expect(shareOf(whole, 0)).toEqual(whole);
    }),
  );
});

test('the shares make up the limit, and exceed it by less than one request a process', () => {
  fc.assert(
    fc.property(limits, fc.integer({ min: 1, max: 500 }), (whole, processes) => {
      const share = shareOf(whole, processes);
      for (const name of ['requestsPerSecond', 'concurrentRequests'] as const) {
        expect(share[name]).toBeGreaterThanOrEqual(1);
        expect(share[name] * processes).toBeGreaterThanOrEqual(whole[name]);
        expect(share[name] * processes - whole[name]).toBeLessThan(processes);
      }
    }),
  );
});
