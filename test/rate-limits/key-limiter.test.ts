import { createKeyLimiter, type Admission } from '../../src/rate-limits/key-limiter';
import { watchProcesses } from '../../src/rate-limits/live-processes';
import { createLogger } from '../../src/telemetry/logger';
import { until } from '../support/until';

const HOUR = 3_600;
const refused: string[] = [];

function limiterFor(processes: () => number) {
  refused.length = 0;
  return createKeyLimiter({
    processes,
    onRefused: (keyId, limit) => refused.push(`${keyId} ${limit}`),
    windowSeconds: HOUR,
  });
}
const isGranted = ({ refusal }: Admission): boolean => refusal === null;

test('of many at once exactly as many as the limit pass, and another key is not among them', async () => {
  const limiter = limiterFor(() => 1);
  const limits = { requestsPerSecond: 20, concurrentRequests: 1_000 };
  const admissions = await Promise.all(Array.from({ length: 50 }, () => limiter.admit('key_a', limits)));
  expect(admissions.filter(isGranted)).toHaveLength(20);
  const [last] = admissions.slice(-1);
  expect(last?.refusal).toMatchObject({
    code: 'rate_limited',
    extra: { limit: 'requestsPerSecond' },
    retryAfter: HOUR,
  });
  expect(last?.headers).toEqual({
    'RateLimit-Policy': `"second";q=20;w=${HOUR}, "concurrent";q=1000;qu="concurrent-requests"`,
    RateLimit: `"second";r=0;t=${HOUR}`,
  });
  expect(isGranted(await limiter.admit('key_b', limits))).toBe(true);
  expect(new Set(refused)).toEqual(new Set(['key_a requestsPerSecond']));
});

test('a machine’s clock that is set back has no key wait longer than a window', async () => {
  const limiter = createKeyLimiter({ processes: () => 1, onRefused: () => undefined });
  const limits = { requestsPerSecond: 1, concurrentRequests: 10 };
  await limiter.admit('key_a', limits);
  const setBack = Date.now() - HOUR * 1_000;
  jest.spyOn(Date, 'now').mockReturnValue(setBack);
  try {
    const { refusal, headers } = await limiter.admit('key_a', limits);
    expect(refusal).toMatchObject({ code: 'rate_limited', retryAfter: 1 });
    expect(headers['RateLimit']).toBe('"second";r=0;t=1');
  } finally {
    jest.restoreAllMocks();
  }
});

test('a request in progress counts until it is released', async () => {
  const limiter = limiterFor(() => 1);
  const limits = { requestsPerSecond: 1_000, concurrentRequests: 3 };
  const admissions = await Promise.all(Array.from({ length: 5 }, () => limiter.admit('key_a', limits)));
  expect(admissions.map(isGranted)).toEqual([true, true, true, false, false]);
  expect(admissions[4]?.refusal).toMatchObject({ extra: { limit: 'concurrentRequests' }, retryAfter: 1 });
  for (const { release } of admissions) release();
  const again = await Promise.all(Array.from({ length: 4 }, () => limiter.admit('key_a', limits)));
  expect(again.map(isGranted)).toEqual([true, true, true, false]);
});

test('a limit is divided by the processes that run, from one request to the next', async () => {
  let processes = 1;
  const limiter = limiterFor(() => processes);
  const limits = { requestsPerSecond: 10, concurrentRequests: 10 };
  const policy = async () => (await limiter.admit('key_a', limits)).headers['RateLimit-Policy'];
  expect(await policy()).toContain('"second";q=10;');
  processes = 3;
  expect(await policy()).toContain('"second";q=4;');
});

test('the number of processes is read again and again; a failure leaves the last one', async () => {
  let now: number | Error = 4;
  let reads = 0;
  const live = watchProcesses({
    read: () => {
      reads += 1;
      return now instanceof Error ? Promise.reject(now) : Promise.resolve(now);
    },
    log: createLogger('test', 'silent'),
    intervalMs: 5,
  });
  try {
    expect(live.count()).toBe(1);
    await until(() => live.count() === 4);
    now = new Error('away');
    const before = reads;
    await until(() => reads > before + 3);
    expect(live.count()).toBe(4);
    now = 0;
    await until(() => live.count() === 1);
  } finally {
    live.stop();
  }
});
