import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/clock/clock';
import { openDatabase, type Database } from '../../src/db/pools';
import { DAY_MS } from '../../src/domain/instant';
import { createPeriodTurns, type DueStep, type PeriodTurns } from '../../src/subscriptions/turn-period';
import { createLogger } from '../../src/telemetry/logger';
import type { WorkspaceScope } from '../../src/tenancy/scope';
import { CatalogueSeeder } from '../support/catalogue';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createWorkspace, type TestWorkspace } from '../support/workspace';

let cluster: TestDatabase;
let database: Database;
let turns: PeriodTurns;
let workspace: TestWorkspace;
beforeAll(async () => {
  cluster = await createTestDatabase();
  const log = createLogger('test', 'fatal');
  database = openDatabase(cluster.url('tollgate_worker'), { max: 5, applicationName: 'test', log });
  turns = createPeriodTurns({ database, clock: systemClock });
  workspace = await createWorkspace(cluster);
});
afterAll(async () => {
  await database.destroy();
  await cluster.drop();
});

const END = Date.UTC(2026, 1, 28);

async function subscribe(row: Record<string, unknown> = {}, scope: WorkspaceScope = workspace.sandbox) {
  const catalogue = new CatalogueSeeder(cluster, scope);
  const plan = await catalogue.plan(randomUUID(), []);
  return catalogue.subscription(await catalogue.customer(randomUUID()), plan, {
    anchor: Date.UTC(2026, 0, 31),
    current_period_end: new Date(END),
    next_wake_at: new Date(END),
    ...row,
  });
}

function due(subscriptionId: string, more: Partial<DueStep> = {}): DueStep {
  const step = 'turn_period';
  const key = `${subscriptionId}:${step}:${END}`;
  return { subscriptionId, step, boundary: END, at: END + 1_000, key, ...more };
}

async function stored(id: string) {
  const [row] = await cluster.query<{ version: string; current_period_end: number; next_wake_at: number }>(
    'SELECT version, current_period_end, next_wake_at FROM tollgate.subscriptions WHERE id = $1',
    [id],
  );
  const events = await cluster.query(
    "SELECT data FROM tollgate.developer_events WHERE data->>'subscriptionId' = $1",
    [id],
  );
  return { ...row, events: events.length };
}

const TURNED = { version: '2', current_period_end: Date.UTC(2026, 2, 31), events: 1 };
const UNTOUCHED = { version: '1', current_period_end: END, events: 0 };

test('the same step ten times at once is taken once', async () => {
  const id = await subscribe();
  const states = await Promise.all(Array.from({ length: 10 }, () => turns.take(workspace.sandbox, due(id))));
  expect(await stored(id)).toMatchObject({ ...TURNED, next_wake_at: Date.UTC(2026, 2, 31) });
  for (const state of states) expect(state?.row.currentPeriodEnd).toBe(Date.UTC(2026, 2, 31));
});

test('a step asked for late leaves the next one overdue, for the sweep to find', async () => {
  const id = await subscribe();
  await turns.take(workspace.sandbox, due(id, { at: Date.UTC(2026, 5, 1) }));
  expect(await stored(id)).toMatchObject({ ...TURNED, next_wake_at: Date.UTC(2026, 2, 31) });
});

test.each<[string, Partial<DueStep>, Record<string, unknown>]>([
  ['comes too early', { at: END - 1 }, {}],
  ['is of another boundary', { boundary: END - DAY_MS }, {}],
  ['is another one', { step: 'end_trial' }, {}],
  ['finds a cancelled subscription', {}, { status: 'cancelled' }],
])('a step that %s does nothing', async (_, request, row) => {
  const id = await subscribe(row);
  const state = await turns.take(workspace.sandbox, due(id, request));
  expect(state?.row.currentPeriodEnd).toBe(END);
  expect(await stored(id)).toMatchObject(UNTOUCHED);
});

test('a payment provider’s period is never turned by the calendar', async () => {
  const id = await subscribe({ provider: 'provider_a' });
  expect(await turns.read(workspace.sandbox, id)).toBeUndefined();
  expect(await turns.take(workspace.sandbox, due(id))).toBeUndefined();
  expect(await stored(id)).toMatchObject(UNTOUCHED);
});

test('another workspace or environment does not reach it', async () => {
  const id = await subscribe();
  const other = await createWorkspace(cluster, 'Other');
  for (const scope of [other.sandbox, workspace.production]) {
    expect(await turns.take(scope, due(id))).toBeUndefined();
  }
  expect(await stored(id)).toMatchObject(UNTOUCHED);
});

test('reads how far the sandbox is ahead; production never is', async () => {
  await cluster.query(`INSERT INTO tollgate.sandbox_clocks VALUES ($1, 'sandbox', $2, now())`, [
    workspace.workspaceId,
    3 * DAY_MS,
  ]);
  const inSandbox = await subscribe();
  const inProduction = await subscribe({}, workspace.production);
  expect(await turns.read(workspace.sandbox, inSandbox)).toMatchObject({ clockOffset: 3 * DAY_MS });
  expect(await turns.read(workspace.production, inProduction)).toMatchObject({ clockOffset: 0 });
});
