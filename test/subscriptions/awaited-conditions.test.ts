import { awaited, AWAITED } from '../../src/domain/awaited';
import type { LifecycleView } from '../../src/domain/lifecycle';
import { SUBSCRIPTION_STATUSES } from '../../src/domain/subscription-types';
import { AWAITED_CONDITIONS } from '../../src/subscriptions/awaited-conditions';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const END = Date.UTC(2026, 5, 1);
const WAITS = { retryAt: END, lookAt: END, expiresAt: END };
const WORKS = [undefined, {}, { unsettled: WAITS }, { request: WAITS }, { unsettled: WAITS, request: WAITS }];
const ENDS = [{}, { cancelAtPeriodEnd: true }, { cancelAt: END - 1 }, { cancelAt: END + 1 }];

interface Row {
  status: string;
  provider_work: object | null;
  cancel_at: string | null;
  cancel_at_period_end: boolean;
  scheduled_plan_id: string | null;
}

const cases = SUBSCRIPTION_STATUSES.flatMap((status) =>
  WORKS.flatMap((work) =>
    ENDS.flatMap((end) =>
      [null, 'month' as const].map((scheduledInterval): { view: LifecycleView; row: Row } => ({
        view: {
          provider: 'provider_a',
          status,
          billingAnchor: 0,
          timeZone: 'UTC',
          interval: 'month',
          currentPeriodStart: 0,
          currentPeriodEnd: END,
          trialEnd: null,
          paymentDueAt: null,
          pastDueSince: null,
          incompleteUntil: null,
          scheduledInterval,
          nextPeriodIsFree: false,
          pastDueAfterDays: 1,
          expireAfterDays: 2,
          ...end,
          work: { unsettled: null, request: null, sync: null, lookAgainAt: null, ...work },
        },
        row: {
          status,
          provider_work: work === undefined ? null : { unsettled: null, request: null, ...work },
          cancel_at: end.cancelAt === undefined ? null : new Date(end.cancelAt).toISOString(),
          cancel_at_period_end: end.cancelAtPeriodEnd ?? false,
          scheduled_plan_id: scheduledInterval === null ? null : 'plan_1',
        },
      })),
    ),
  ),
);

test('a subscription meets the condition of what it awaits, and no other', async () => {
  const columns = AWAITED.map((word) => `(${AWAITED_CONDITIONS[word]}) IS TRUE AS ${word}`);
  const rows = await database.query<Record<string, boolean>>(
    `SELECT ${columns.join(', ')} FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS
       (status text, provider_work jsonb, cancel_at timestamptz, cancel_at_period_end boolean, scheduled_plan_id text))
       WITH ORDINALITY AS s (status, provider_work, cancel_at, cancel_at_period_end, scheduled_plan_id, place)
      ORDER BY place`,
    [JSON.stringify(cases.map(({ row }) => row))],
  );
  const met = rows.map((row) => AWAITED.filter((word) => row[word]));
  expect(met).toEqual(
    cases.map(({ view }) => {
      const word = awaited(view);
      return word === null ? [] : [word];
    }),
  );
});
