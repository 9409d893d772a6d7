import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import type { DueStep } from '../../src/subscriptions/subscription-steps';
import { createWorkspace } from '../support/workspace';
import { useStarted } from '../support/use-started';
import { ANCHOR, END, stepOf, SteppingWorkspace } from './stepping';

const time = useStarted(() => SteppingWorkspace.start());

async function stored(id: string) {
  const [row] = await time.cluster.query<{
    version: string;
    current_period_end: number;
    next_wake_at: number;
  }>('SELECT version, current_period_end, next_wake_at FROM tollgate.subscriptions WHERE id = $1', [id]);
  const [count] = await time.cluster.query<{ n: string }>(
    'SELECT count(*) AS n FROM tollgate.subscription_transactions WHERE subscription_id = $1',
    [id],
  );
  const happened = (await time.history(id)).map(({ kind }) => kind);
  return { ...row, transactions: Number(count?.n), happened };
}

const TURNED = {
  version: '2',
  current_period_end: Date.UTC(2026, 2, 31),
  transactions: 1,
  happened: ['period_turned'],
};
const UNTOUCHED = { version: '1', current_period_end: END, transactions: 0, happened: [] };

test('the same step ten times at once is taken once, and charged once', async () => {
  const id = await time.subscribe();
  const states = await Promise.all(Array.from({ length: 10 }, () => time.steps.take(time.scope, stepOf(id))));
  expect(await stored(id)).toMatchObject({ ...TURNED, next_wake_at: END + 7 * DAY_MS });
  for (const state of states) expect(state?.subscription.currentPeriodEnd).toBe(Date.UTC(2026, 2, 31));
});

test('a period cannot be charged twice, whatever asks for it', async () => {
  const id = await time.subscribe();
  await time.steps.take(time.scope, stepOf(id));
  const copy = `INSERT INTO tollgate.subscription_transactions
    SELECT (jsonb_populate_record(t, '{"id":"txn_again"}')).* FROM tollgate.subscription_transactions t
     WHERE subscription_id = $1`;
  await expect(time.cluster.query(copy, [id])).rejects.toThrow('subscription_transactions_period');
});

test('a step that fails half-way leaves nothing behind, and can be taken again', async () => {
  const id = await time.subscribe();
  const refuse = `CREATE FUNCTION pg_temp.refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$`;
  await time.cluster.query(refuse);
  await time.cluster.query(
    `CREATE TRIGGER refuse BEFORE INSERT ON tollgate.subscription_history
       FOR EACH ROW WHEN (NEW.subscription_id = '${id}') EXECUTE FUNCTION pg_temp.refuse()`,
  );
  await expect(time.steps.take(time.scope, stepOf(id))).rejects.toThrow('the disk is full');
  expect(await stored(id)).toMatchObject(UNTOUCHED);
  await time.cluster.query('DROP TRIGGER refuse ON tollgate.subscription_history');
  await time.steps.take(time.scope, stepOf(id));
  expect(await stored(id)).toMatchObject(TURNED);
});

test.each([-1, 1])(
  'a boundary that new rules of the zone have moved by %i hour begins one whole period',
  async (by) => {
    const boundary = END - by * HOUR_MS;
    const moved = { current_period_end: new Date(boundary), next_wake_at: new Date(boundary) };
    const id = await time.subscribe({ started_at: new Date(ANCHOR), ...moved });
    await time.steps.take(time.scope, stepOf(id, { boundary, at: boundary }));
    expect(await stored(id)).toMatchObject(TURNED);
    const [{ periodStart, total } = {}] = await time.transactions(id);
    expect([periodStart, total]).toEqual([boundary, 2900n]);
  },
);

test('a step asked for late leaves the next one overdue, for the sweep to find', async () => {
  const id = await time.subscribe();
  await time.steps.take(time.scope, stepOf(id, { at: Date.UTC(2026, 5, 1) }));
  expect(await stored(id)).toMatchObject({ ...TURNED, next_wake_at: END + 7 * DAY_MS });
});

test.each<[string, Partial<DueStep>, Record<string, unknown>]>([
  ['comes too early', { at: END - 1 }, {}],
  ['is of another boundary', { boundary: END - DAY_MS }, {}],
  ['is another one', { step: 'end_trial' }, {}],
  ['is a checkout’s, of one that was paid', { step: 'expire_checkout' }, {}],
  ['expires what is not past due', { step: 'expire' }, {}],
  ['finds a payment that was made meanwhile', { step: 'become_past_due' }, { payment_due_at: null }],
  ['finds a cancelled subscription', {}, { status: 'cancelled' }],
  ['finds an expired subscription', {}, { status: 'expired' }],
])('a step that %s does nothing', async (_, request, row) => {
  const id = await time.subscribe(row);
  const state = await time.steps.take(time.scope, stepOf(id, request));
  expect(state?.subscription.currentPeriodEnd).toBe(END);
  expect(await stored(id)).toMatchObject(UNTOUCHED);
});

test('an unpaid subscription of a checkout expires at its deadline, once', async () => {
  const id = await time.subscribe({ status: 'incomplete', incomplete_until: new Date(ANCHOR + DAY_MS) });
  const due = stepOf(id, { step: 'expire_checkout', boundary: ANCHOR + DAY_MS });
  for (let i = 0; i < 2; i += 1) {
    const state = await time.steps.take(time.scope, due);
    expect(state?.subscription).toMatchObject({ status: 'expired', incompleteUntil: null });
  }
  expect(await stored(id)).toMatchObject({
    version: '2',
    next_wake_at: null,
    happened: ['checkout_expired'],
  });
});

test('a payment provider’s subscription is never stepped by the calendar', async () => {
  const row = { provider: 'provider_a', payment_due_at: new Date(ANCHOR) };
  const id = await time.subscribe(row);
  for (const step of ['turn_period', 'become_past_due'] as const) {
    const boundary = step === 'turn_period' ? END : ANCHOR;
    await time.steps.take(time.scope, stepOf(id, { step, boundary }));
    expect(await stored(id)).toMatchObject(UNTOUCHED);
  }
});

test('reading a payment provider’s subscription stores its next wake again', async () => {
  const id = await time.subscribe({ provider: 'provider_a', next_wake_at: new Date(ANCHOR) });
  await time.steps.read(time.scope, id);
  const [row] = await time.cluster.query<{ next_wake_at: number; version: string }>(
    'SELECT next_wake_at, version FROM tollgate.subscriptions WHERE id = $1',
    [id],
  );
  expect(row).toMatchObject({ next_wake_at: END, version: '1' });
});

test('another workspace or environment does not reach it', async () => {
  const id = await time.subscribe();
  const other = await createWorkspace(time.cluster, 'Other');
  for (const scope of [other.sandbox, time.workspace.production]) {
    expect(await time.steps.read(scope, id)).toBeUndefined();
    expect(await time.steps.take(scope, stepOf(id))).toBeUndefined();
  }
  expect(await stored(id)).toMatchObject(UNTOUCHED);
});

test('reads how far the sandbox is ahead; production never is', async () => {
  await time.cluster.query(`INSERT INTO tollgate.sandbox_clocks VALUES ($1, 'sandbox', $2, now())`, [
    time.workspace.workspaceId,
    3 * DAY_MS,
  ]);
  const { production } = time.workspace;
  const inSandbox = await time.subscribe();
  const inProduction = await time.subscribe({}, { scope: production });
  expect(await time.steps.read(time.scope, inSandbox)).toMatchObject({ clockOffset: 3 * DAY_MS });
  expect(await time.steps.read(production, inProduction)).toMatchObject({ clockOffset: 0 });
});
