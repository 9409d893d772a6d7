import { TollgateError } from '../../src/domain/errors';
import { compareAfterChange } from '../../src/plan-prices/compare-after-change';

test.each([
  ['no connection of the pool is free', new Error('timeout exceeded when trying to connect')],
  ['a lock is not available', Object.assign(new Error('canceled'), { code: '55P03' })],
  ['the service is busy', new TollgateError('service_busy', 'Busy.', { retryAfter: 1 })],
])('a committed change is answered without prices if %s', async (_, error) => {
  expect(await compareAfterChange(() => Promise.reject(error))).toEqual([]);
});

test('a defect is not hidden', async () => {
  const defect = new TypeError('x is not a function');
  await expect(compareAfterChange(() => Promise.reject(defect))).rejects.toBe(defect);
});
