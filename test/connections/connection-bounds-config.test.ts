import { readConnectionBounds } from '../../src/config/connection-bounds';

test('bounds that are not set have their defaults', () => {
  expect(readConnectionBounds({})).toEqual({ sandbox: {}, live: {} });
  expect(readConnectionBounds({ TOLLGATE_PROVIDER_CALLS_AT_ONCE: '' })).toEqual({ sandbox: {}, live: {} });
});

test('each bound is set for both modes, the rate for each by itself', () => {
  const bounds = readConnectionBounds({
    TOLLGATE_PROVIDER_CALLS_AT_ONCE: '3',
    TOLLGATE_PROVIDER_CALLS_WAITING: '0',
    TOLLGATE_PROVIDER_CALLS_LONGEST_WAIT_SECONDS: '5',
    TOLLGATE_PROVIDER_CALLS_TIMEOUT_SECONDS: '9',
    TOLLGATE_PROVIDER_CALLS_A_SECOND_SANDBOX: '7',
    TOLLGATE_PROVIDER_CALLS_A_SECOND_LIVE: '90',
  });
  const both = { atOnce: 3, waiting: 0, longestWaitMs: 5_000, timeoutMs: 9_000 };
  expect(bounds).toEqual({ sandbox: { ...both, aSecond: 7 }, live: { ...both, aSecond: 90 } });
});

test.each([
  ['TOLLGATE_PROVIDER_CALLS_AT_ONCE', '0'],
  ['TOLLGATE_PROVIDER_CALLS_AT_ONCE', 'many'],
  ['TOLLGATE_PROVIDER_CALLS_WAITING', '-1'],
  ['TOLLGATE_PROVIDER_CALLS_A_SECOND_SANDBOX', '2.5'],
  ['TOLLGATE_PROVIDER_CALLS_A_SECOND_LIVE', '0'],
  ['TOLLGATE_PROVIDER_CALLS_LONGEST_WAIT_SECONDS', '61'],
  ['TOLLGATE_PROVIDER_CALLS_TIMEOUT_SECONDS', '19'],
])('%s=%s is refused by its name', (name, value) => {
  expect(() => readConnectionBounds({ [name]: value })).toThrow(`${name}: `);
});
