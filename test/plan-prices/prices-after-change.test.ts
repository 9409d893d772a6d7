import { pino } from 'pino';
import { TollgateError } from '../../src/domain/errors';
import { createPricesAfterChange, type PricesAfterChange } from '../../src/plan-prices/prices-after-change';

const who = {
  scope: { workspaceId: 'org_1', environment: 'sandbox' },
  reason: 'OPERATOR',
  receivedAt: 0,
} as const;

/** Compares where every comparison fails with `error`. */
function failing(error: Error): { prices: PricesAfterChange; logged: Record<string, unknown>[] } {
  const logged: Record<string, unknown>[] = [];
  const write = (line: string): void => {
    logged.push(JSON.parse(line) as Record<string, unknown>);
  };
  const fail = () => Promise.reject(error);
  const prices = createPricesAfterChange({ ofConnection: fail, ofPlan: fail }, pino({}, { write }));
  return { prices, logged };
}

test.each([
  ['no connection of the pool is free', new Error('timeout exceeded when trying to connect')],
  ['a lock is not available', Object.assign(new Error('canceled'), { code: '55P03' })],
  ['the service is busy', new TollgateError('service_busy', 'Busy.', { retryAfter: 1 })],
])('a committed change is answered without prices if %s, and the log says why', async (_, error) => {
  const { prices, logged } = failing(error);
  expect(await prices.ofPlan(who, 'plan_1')).toEqual([]);
  expect(await prices.ofConnection(who, 'conn_1')).toEqual([]);
  const err = expect.objectContaining({ message: error.message }) as object;
  expect(logged).toMatchObject([
    { planId: 'plan_1', err },
    { connectionId: 'conn_1', err },
  ]);
});

test('a defect is not hidden', async () => {
  const defect = new TypeError('x is not a function');
  await expect(failing(defect).prices.ofPlan(who, 'plan_1')).rejects.toBe(defect);
});
