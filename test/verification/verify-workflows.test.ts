import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../src/db/pools';
import { verifyAll } from '../../src/verification/verify';
import { HOUR_MS } from '../../src/domain/instant';
import { CatalogueSeeder } from '../support/catalogue';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

describe('the verifier of workflows', () => {
  const service = useService();
  let workspace: TestWorkspace;
  let database: Database;
  let seed: CatalogueSeeder;
  /** The ids under which a workflow runs. */
  const running = new Set<string>();
  let pauses = 0;
  /** The relay's work while the verifier pauses. */
  let meanwhile: () => void = () => undefined;
  let isRunning: (workflowId: string) => Promise<boolean>;

  beforeAll(async () => {
    workspace = await createWorkspace(service.database);
    seed = new CatalogueSeeder(service.database, workspace.sandbox);
    database = service.open('tollgate_app', 1);
  });
  beforeEach(async () => {
    running.clear();
    pauses = 0;
    meanwhile = () => undefined;
    isRunning = (workflowId) => Promise.resolve(running.has(workflowId));
    await service.database.query('DELETE FROM tollgate.checkouts');
    await service.database.query('DELETE FROM tollgate.subscriptions');
  });

  async function differences(): Promise<string[]> {
    const found: string[] = [];
    const check = {
      isRunning,
      clock: service.clock,
      pause: () => {
        pauses += 1;
        meanwhile();
        return Promise.resolve();
      },
    };
    for await (const result of verifyAll(database, check)) found.push(...result.examples);
    return found;
  }

  let made = 0;
  async function subscribe(row: Record<string, unknown> = {}): Promise<string> {
    made += 1;
    const plan = await seed.plan(`plan-${made}`, []);
    return seed.subscription(await seed.customer(`acct-${made}`), plan, row);
  }
  const workflowOf = (id: string): string => `subscription/sandbox/${id}`;

  test('an open subscription whose workflow runs is looked after', async () => {
    running.add(workflowOf(await subscribe()));
    running.add(workflowOf(await subscribe({ status: 'trialing' })));
    expect(await differences()).toEqual([]);
    expect(pauses).toBe(0);
  });

  test('without a workflow, one whose wake is still to come is a difference', async () => {
    const id = await subscribe();
    expect(await differences()).toEqual([
      expect.stringMatching(new RegExp(`^subscription ${id}: no workflow runs for it, and it wakes at `)),
    ]);
  });

  test('one whose wake is due is left to the sweep, until the sweep has missed it', async () => {
    await subscribe({ next_wake_at: new Date(Date.now() - HOUR_MS) });
    expect(await differences()).toEqual([]);
    const missed = await subscribe({ next_wake_at: new Date(Date.now() - 2 * HOUR_MS) });
    expect(await differences()).toEqual([expect.stringContaining(missed)]);
  });

  test('in a sandbox, a wake is due by the sandbox’s clock', async () => {
    await subscribe({ next_wake_at: new Date(Date.now() + 10 * HOUR_MS) });
    expect(await differences()).toHaveLength(1);
    await service.database.query(
      `INSERT INTO tollgate.sandbox_clocks (workspace_id, environment, offset_ms, updated_at) VALUES ($1, 'sandbox', $2, $3)`,
      [workspace.workspaceId, 10.5 * HOUR_MS, new Date()],
    );
    expect(await differences()).toEqual([]);
    await service.database.query('DELETE FROM tollgate.sandbox_clocks');
  });

  test('a workflow that starts a moment later is not missing', async () => {
    const id = await subscribe();
    meanwhile = () => running.add(workflowOf(id));
    expect(await differences()).toEqual([]);
    expect(pauses).toBe(1);
  });

  test('a Temporal that does not answer fails it once every question has failed, because the caller closes the client then', async () => {
    await subscribe();
    await subscribe();
    let asked = 0;
    let failed = 0;
    isRunning = async () => {
      asked += 1;
      await pause(asked * 20);
      failed += 1;
      throw new Error('Temporal is away.');
    };
    await expect(differences()).rejects.toThrow('Temporal is away.');
    expect(failed).toBe(2);
  });

  test('a subscription that has ended, or waits for its checkout, needs no workflow', async () => {
    await subscribe({ status: 'cancelled' });
    await subscribe({ status: 'expired' });
    await subscribe({ status: 'incomplete' });
    expect(await differences()).toEqual([]);
  });

  test('a subscription that a provider bills needs one too: it reads the provider at the boundary', async () => {
    const id = await subscribe({ provider: 'provider_a' });
    expect(await differences()).toEqual([expect.stringContaining(`subscription ${id}: no workflow runs`)]);
  });

  test('an open checkout is looked after too', async () => {
    const subscriptionId = await subscribe({ status: 'incomplete' });
    await service.database.query(
      `INSERT INTO tollgate.checkouts (workspace_id, environment, id, customer_id, subscription_id, provider, status, expires_at, next_wake_at, created_at, updated_at)
       SELECT workspace_id, environment, 'chk_1', customer_id, id, 'internal', 'open', $2, $2, $3, $3 FROM tollgate.subscriptions WHERE id = $1`,
      [subscriptionId, new Date(Date.now() + HOUR_MS), new Date()],
    );
    expect(await differences()).toEqual([expect.stringMatching(/^checkout chk_1: no workflow runs for it/)]);
    running.add('checkout/sandbox/chk_1');
    expect(await differences()).toEqual([]);
  });

  test('every row is asked for, however many there are', async () => {
    const id = await subscribe();
    await service.database.query("SET session_replication_role = 'replica'");
    await service.database.query(
      `INSERT INTO tollgate.subscriptions
       SELECT (jsonb_populate_record(s, jsonb_build_object('id', 'sub_copy_' || n, 'customer_id', s.customer_id || n))).*
         FROM tollgate.subscriptions s, generate_series(1, 1100) AS n WHERE s.id = $1`,
      [id],
    );
    expect(await differences()).toHaveLength(10);
    const rows = await service.database.query<{ id: string }>('SELECT id FROM tollgate.subscriptions');
    expect(rows).toHaveLength(1101);
    for (const row of rows) running.add(workflowOf(row.id));
    expect(await differences()).toEqual([]);
    running.delete(workflowOf('sub_copy_777'));
    expect(await differences()).toEqual([expect.stringContaining('sub_copy_777')]);
  });
});
