import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { CatalogueSeeder } from '../../test/support/catalogue';
import type { TestDatabase } from '../../test/support/database';
import { logIn, type OperatorClient } from '../../test/support/operator';
import { until } from '../../test/support/until';
import type { Figures, Scenario } from '../scenario';

/** Compares production's commands before and while a sandbox of the same installation catches up on years. */
export const sandboxBesideProduction: Scenario<'commands' | 'subscriptions' | 'years'> = {
  name: 'sandbox',
  about: 'production’s commands while a sandbox catches up on years',
  fullSize: { commands: 200, subscriptions: 60, years: 13 },
  run: async ({ counts, start, log }) => {
    const { database, urls } = await start({ processes: ['relay', 'worker', 'api'], temporal: true });
    const operator = await logIn({ database, urls }, { role: 'admin' });
    const { workspaceId } = operator;
    const seed = async (environment: 'sandbox' | 'production', amount: number): Promise<string> => {
      const catalogue = new CatalogueSeeder(database, { workspaceId, environment });
      const prices = { price_amount: amount, pricing: 'per_seat' };
      const plan = await catalogue.plan(`plan-${randomUUID()}`, [], prices);
      const end = new Date(Date.now() + 20 * DAY_MS);
      return catalogue.subscription(await catalogue.customer(randomUUID()), plan, {
        anchor: Date.now() - 10 * DAY_MS,
        billing_anchor: end,
        current_period_end: end,
        next_wake_at: end,
        unit_amount: amount,
        pricing: 'per_seat',
      });
    };
    for (let n = 0; n < counts.subscriptions; n += 1) await seed('sandbox', 0);
    const targets: string[] = [];
    for (let n = 0; n < 10; n += 1) targets.push(await seed('production', 1000));
    // Creates each workflow and wakes the worker before any measurement: the first command may be answered 202.
    for (const target of targets) {
      const key = randomUUID();
      await until(async () => (await changeSeats(operator, target, 2, key)) === 200);
    }

    const idle = await commands(operator, targets, counts.commands, 3);
    const to = new Date(Date.now() + counts.years * 365 * DAY_MS).toISOString();
    const advanced = await operator.post('/api/sandbox/clock', { body: { to } });
    if (advanced.status !== 200) throw new Error(`The clock was not advanced: ${advanced.status}`);
    const begun = performance.now();
    const meanwhile = await commands(operator, targets, counts.commands, 1_000);
    const left = (): Promise<number> => behind(database, workspaceId, to);
    const leftThen = await left();
    log(`${leftThen} of ${counts.subscriptions} subscriptions were still behind after production’s commands`);
    await until(async () => (await left()) === 0);
    return {
      ...percentiles('idle', idle),
      ...percentiles('meanwhile', meanwhile),
      'p50 meanwhile over idle': (at(meanwhile, 50) / at(idle, 50)).toFixed(2),
      'behind when production was done': leftThen,
      'caught up after (s)': ((performance.now() - begun) / 1_000).toFixed(0),
    };
  },
};

/** Changes seats one after another, and returns how long each change took, in milliseconds. */
async function commands(
  operator: OperatorClient,
  targets: readonly string[],
  count: number,
  firstSeats: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const target = targets[turn % targets.length] ?? '';
    const begun = performance.now();
    const seats = firstSeats + Math.floor(turn / targets.length);
    const key = randomUUID();
    // The same request waits for a command that takes longer than its answer (202); all of it is counted.
    await until(async () => {
      const status = await changeSeats(operator, target, seats, key);
      if (status !== 200 && status !== 202)
        throw new Error(`A command in production was answered ${status}.`);
      return status === 200;
    });
    times.push(performance.now() - begun);
  }
  return times;
}

/** Returns the answer's status. */
async function changeSeats(
  operator: OperatorClient,
  subscriptionId: string,
  seats: number,
  key: string,
): Promise<number> {
  const { status } = await operator.post(`/api/billing/subscriptions/${subscriptionId}/change`, {
    env: 'production',
    body: { seats },
    headers: { 'Idempotency-Key': key },
  });
  return status;
}

async function behind(database: TestDatabase, workspaceId: string, to: string): Promise<number> {
  const rows = await database.query(
    `SELECT FROM tollgate.subscriptions WHERE workspace_id = $1 AND environment = 'sandbox' AND next_wake_at <= $2`,
    [workspaceId, to],
  );
  return rows.length;
}

function percentiles(what: string, times: readonly number[]): Figures {
  return { [`${what} p50 (ms)`]: at(times, 50).toFixed(0), [`${what} p95 (ms)`]: at(times, 95).toFixed(0) };
}

function at(times: readonly number[], percent: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}
