import { randomUUID } from 'node:crypto';
import { inWorkspace } from '../../src/db/workspace-transaction';
import type { Database } from '../../src/db/pools';
import { DAY_MS } from '../../src/domain/instant';
import { wakeAt } from '../../src/domain/lifecycle';
import type { WAKE_INPUTS } from '../../src/domain/wake-inputs';
import { NO_WORK } from '../../src/domain/provider-work';
import type { BilledSubscription } from '../../src/subscriptions/billed-subscription';
import { findBilledSubscription } from '../../src/subscriptions/billed-subscription-store';
import { saveBilledSubscription } from '../../src/subscriptions/save-subscription-store';
import { createRescheduling } from '../../src/subscriptions/reschedule';
import { createSubscriptionSteps } from '../../src/subscriptions/subscription-steps';
import { systemClock } from '../../src/clock/system-clock';
import { CatalogueSeeder } from '../support/catalogue';
import { logIn, type OperatorClient } from '../support/operator';
import { untilLockWaits } from '../support/lock-waits';
import { operationHandlers } from '../../src/service/operation-handlers';
import { createOperationRunner } from '../../src/subscriptions/commands/operation-service';
import { useService } from '../support/use-service';

// The tests put rows into states that no recorded change explains.
const service = useService({ planted: { differences: true } });
let database: Database;
let admin: OperatorClient;
beforeAll(() => {
  database = service.open('tollgate_worker', 5);
});
beforeEach(async () => {
  admin = await logIn(service, { role: 'admin' });
  await service.database.query('DELETE FROM graphile_worker._private_jobs');
});

const NOW = Date.now();
const scope = () => ({ workspaceId: admin.workspaceId, environment: 'sandbox' }) as const;

/**
 * Inserts a monthly subscription by SQL, in the middle of its period however long this month is. `row` overrides its
 * columns.
 */
async function subscribe(row: Record<string, unknown> = {}): Promise<string> {
  const catalogue = new CatalogueSeeder(service.database, scope());
  const plan = await catalogue.plan(`plan-${randomUUID()}`, []);
  return catalogue.subscription(await catalogue.customer(randomUUID()), plan, {
    anchor: NOW - 15 * DAY_MS,
    ...row,
  });
}

const pastDue = (since: number) => ({
  status: 'past_due',
  past_due_since: new Date(since),
  payment_due_at: new Date(since),
});

async function wakeOf(id: string): Promise<number | null> {
  const [row] = await service.database.query<{ at: number | null }>(
    'SELECT next_wake_at AS at FROM tollgate.subscriptions WHERE id = $1',
    [id],
  );
  return row?.at ?? null;
}

async function jobs(): Promise<string[]> {
  const rows = await service.database.query<{ task: string; key: string }>(
    'SELECT task_identifier AS task, key FROM graphile_worker.jobs ORDER BY id',
  );
  return rows.map(({ task, key }) => `${task} ${key}`);
}
const pokeOf = (id: string): string => `poke-subscription subscription/sandbox/${id}`;
const reschedule = (): string => `reschedule-subscriptions reschedule/sandbox/${admin.workspaceId}`;

/** Walks the workspace's subscriptions in batches, as the job's workflow does. */
async function walk(): Promise<number> {
  const rescheduling = createRescheduling({ database });
  let moved = 0;
  for (let after: string | null = ''; after !== null;) {
    const batch = await rescheduling.next(scope(), after);
    moved += batch.moved;
    after = batch.after;
  }
  return moved;
}

/** Saves a change of the row as the service does, and expects a changed wake time in the row. */
async function saved(change: Partial<BilledSubscription>, row: Record<string, unknown> = {}): Promise<void> {
  const id = await subscribe(row);
  const before = await wakeOf(id);
  const after = await inWorkspace(database, scope(), 'SYSTEM', async (trx) => {
    const found = await findBilledSubscription(trx, scope(), id, 'lock');
    if (found === undefined) throw new Error(`There is no ${id}.`);
    return saveBilledSubscription(trx, scope(), { ...found, ...change }, NOW);
  });
  expect(await wakeOf(id)).toBe(wakeAt(after));
  expect(await wakeOf(id)).not.toBe(before);
}

/** Returns the plan that the subscription is scheduled to change to, or is on. */
async function planOf(id: string): Promise<string> {
  const [row] = await service.database.query<{ id: string }>(
    'SELECT coalesce(scheduled_plan_id, plan_id) AS id FROM tollgate.subscriptions WHERE id = $1',
    [id],
  );
  return row?.id ?? '';
}

/** A case for each input: changes it and checks the effect. An input without a case does not compile. */
const CASES: Record<keyof typeof WAKE_INPUTS, () => Promise<void>> = {
  provider: () => saved({ provider: 'provider_b', work: { ...NO_WORK, lookAgainAt: NOW + DAY_MS } }),
  status: () => saved({ status: 'cancelled' }),
  // These matter only for the period after the awaited one.
  billingAnchor: () => saved({ billingAnchor: NOW, currentPeriodEnd: NOW + DAY_MS }),
  timeZone: () => saved({ timeZone: 'Europe/Berlin', currentPeriodEnd: NOW + DAY_MS }),
  interval: () => saved({ interval: 'year', currentPeriodEnd: NOW + 300 * DAY_MS }),
  unitAmount: () => saved({ unitAmount: 0n, status: 'trialing', trialEnd: NOW + 5 * DAY_MS }),
  currentPeriodStart: () => saved({ currentPeriodStart: NOW, currentPeriodEnd: NOW + 30 * DAY_MS }),
  currentPeriodEnd: () => saved({ currentPeriodEnd: NOW + 30 * DAY_MS }),
  trialEnd: () => saved({ status: 'trialing', trialEnd: NOW + 5 * DAY_MS }),
  paymentDueAt: () => saved({ paymentDueAt: NOW + 3 * DAY_MS }),
  pastDueSince: async () => {
    await saved({ status: 'past_due', pastDueSince: NOW - 25 * DAY_MS });
    await saved({ status: 'past_due', pastDueSince: NOW }, { provider: 'provider_a' });
  },
  incompleteUntil: () => saved({ status: 'incomplete', incompleteUntil: NOW + DAY_MS }),
  cancelAtPeriodEnd: () =>
    saved({ cancelAtPeriodEnd: true, currentPeriodEnd: NOW + DAY_MS }, { provider: 'provider_a' }),
  cancelAt: () => saved({ cancelAt: NOW + DAY_MS }, { provider: 'provider_a' }),
  work: () => saved({ work: { ...NO_WORK, lookAgainAt: NOW + DAY_MS } }, { provider: 'provider_a' }),

  scheduledInterval: async () => {
    const catalogue = new CatalogueSeeder(service.database, scope());
    const { planId } = await catalogue.plan(`plan-${randomUUID()}`, []);
    const id = await subscribe({
      scheduled_plan_id: planId,
      scheduled_seats: 1,
      scheduled_requested_at: new Date(NOW),
    });
    const change = await admin.patch(`/api/plans/${await planOf(id)}`, { body: { interval: 'year' } });
    expect(change.body).toMatchObject({ code: 'plan_terms_fixed' });
    expect(await jobs()).toEqual([]);
  },
  nextPeriodIsFree: async () => {
    const id = await subscribe();
    const before = await wakeOf(id);
    const change = await admin.patch(`/api/plans/${await planOf(id)}`, {
      body: { price: { amount: '0', currency: 'USD' } },
    });
    expect(change.status).toBe(200);
    await walk();
    expect(await wakeOf(id)).toBe(before);
  },

  pastDueAfterDays: async () => {
    // An open payment keeps its due date; the next renewal gets another one.
    const id = await subscribe({
      payment_due_at: new Date(NOW + DAY_MS),
      next_wake_at: new Date(NOW + DAY_MS),
    });
    await admin.patch('/api/billing/settings', { body: { pastDueAfterDays: 3 } });
    expect(await jobs()).toEqual([reschedule()]);
    expect(await walk()).toBe(0);
    expect(await wakeOf(id)).toBe(NOW + DAY_MS);
  },
  expireAfterDays: async () => {
    const since = NOW - 10 * DAY_MS;
    const id = await subscribe({ ...pastDue(since), next_wake_at: new Date(NOW + 15 * DAY_MS) });
    for (const days of [20, 12, 40, 22]) {
      await admin.patch('/api/billing/settings', { body: { expireAfterDays: days } });
      expect(await jobs()).toContain(reschedule());
      await walk();
      expect(await jobs()).toContain(pokeOf(id));
      const [end] = (
        await service.database.query<{ at: number }>(
          'SELECT current_period_end AS at FROM tollgate.subscriptions WHERE id = $1',
          [id],
        )
      ).map(({ at }) => at);
      expect(await wakeOf(id)).toBe(Math.min(since + days * DAY_MS, end ?? 0));
      await service.database.query('DELETE FROM graphile_worker._private_jobs');
    }
  },

  now: async () => {
    const id = await subscribe();
    // It has ended, but the outcome of a provider call is still unknown.
    const ended = await subscribe({ provider: 'provider_a', status: 'cancelled' });
    const incomplete = await subscribe({
      status: 'incomplete',
      incomplete_until: new Date(NOW + 15 * DAY_MS),
    });
    const answer = await admin.post('/api/sandbox/clock', {
      body: { to: new Date(NOW + DAY_MS).toISOString() },
    });
    expect(answer.status).toBe(200);
    const byTheClock = (one: string): string => `poke-subscription clock/subscription/sandbox/${one}`;
    expect(await jobs()).toEqual(expect.arrayContaining([byTheClock(id), byTheClock(ended)]));
    // Its checkout handles its timing.
    expect(await jobs()).not.toContain(byTheClock(incomplete));
  },
};

test.each(Object.entries(CASES))('a change of %s does not leave a subscription asleep', (_, work) => work());

test('a change of any other setting leaves everything asleep', async () => {
  await subscribe(pastDue(NOW - DAY_MS));
  await admin.patch('/api/billing/settings', {
    body: { graceDays: 3, defaultCurrency: 'EUR', approvalDays: 5, timeZone: 'Europe/Berlin' },
  });
  expect(await jobs()).toEqual([]);
});

test('a walk reaches everybody in batches, waits for who is being written, and ends where it is repeated', async () => {
  const since = NOW - 10 * DAY_MS;
  const ids = [];
  for (let count = 0; count < 205; count += 1) ids.push(await subscribe(pastDue(since)));
  const [first = ''] = [...ids].sort();
  await service.database.query(
    `UPDATE tollgate.subscriptions SET status = 'active', past_due_since = NULL WHERE id = $1`,
    [first],
  );
  let walked: Promise<number> | undefined;
  await inWorkspace(database, scope(), 'SYSTEM', async (trx) => {
    const found = await findBilledSubscription(trx, scope(), first, 'lock');
    if (found === undefined) throw new Error(`There is no ${first}.`);
    // It becomes past due under the former settings, in a transaction that ends during the walk.
    await saveBilledSubscription(trx, scope(), { ...found, status: 'past_due', pastDueSince: since }, NOW);
    await admin.patch('/api/billing/settings', { body: { expireAfterDays: 12 } });
    walked = walk();
    await untilLockWaits(service.database);
  });
  expect(await walked).toBe(205);
  expect((await jobs()).filter((job) => job.startsWith('poke-'))).toHaveLength(205);
  expect(await wakeOf(first)).toBe(since + 12 * DAY_MS);
  expect(await walk()).toBe(0);
});

test('reading the row for its workflow stores when it wakes', async () => {
  const since = NOW - 10 * DAY_MS;
  const id = await subscribe(pastDue(since));
  const commands = createOperationRunner({ database, clock: systemClock, handlers: operationHandlers });
  const steps = createSubscriptionSteps({ database, clock: systemClock, commands });
  await steps.read(scope(), id);
  const wake = await wakeOf(id);
  expect(wake).toBeLessThanOrEqual(since + 30 * DAY_MS);
});
