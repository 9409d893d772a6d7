import type { Database } from '../../src/db/pools';
import { verifyAll, type Verification } from '../../src/verification/verify';
import { CatalogueSeeder } from '../support/catalogue';
import { Integrator } from '../support/integrator';
import { createWorkspace, type TestWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

describe('the verifier', () => {
  const service = useService({ planted: { differences: true } });
  let workspace: TestWorkspace;
  let database: Database;

  beforeAll(async () => {
    workspace = await createWorkspace(service.database);
    await createWorkspace(service.database, 'Idle');
    database = service.open('tollgate_app', 1);
    const seed = new CatalogueSeeder(service.database, workspace.sandbox);
    const plan = await seed.plan('soft', [
      { feature: 'ai_tokens', quota: 10, enforcement: 'soft', creditCost: 0.5 },
      { feature: 'exports', quota: null },
    ]);
    const customer = await seed.customer('acct_1');
    await seed.subscription(customer, plan);
    await service.database.query(
      `INSERT INTO tollgate.credit_grants (workspace_id, environment, id, customer_id, amount, remaining, created_at)
       VALUES ($1, 'sandbox', 'crd_1', $2, 3, 3, $3)`,
      [workspace.workspaceId, customer, new Date()],
    );
    const api = new Integrator(service.urls.sandbox, workspace.sandboxKey);
    // From the quota, then from credits, then as overage; one use may draw on several.
    const calls = [3, 0.1, 8.2, 2, 5, 0.000001].map((quantity) => api.track('acct_1', 'ai_tokens', quantity));
    const answers = await Promise.all([...calls, api.track('acct_1', 'exports', 7)]);
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
  });

  async function verify(): Promise<Verification[]> {
    const results: Verification[] = [];
    for await (const result of verifyAll(database)) results.push(result);
    return results;
  }
  const faults = async (): Promise<string[]> => (await verify()).flatMap((result) => result.examples);

  test('agrees with what check and track have written, workspace by workspace', async () => {
    const results = await verify();
    expect(results).toHaveLength(4);
    expect(results.map((result) => result.differences)).toEqual([0, 0, 0, 0]);
    const mine = results.find(
      (one) => one.scope.workspaceId === workspace.workspaceId && one.scope.environment === 'sandbox',
    );
    expect(mine).toMatchObject({ events: 7, counters: 2, grants: 1, examples: [] });
    const [counter] = await service.database.query<Record<string, string>>(
      `SELECT quota_used > 0 AS quota, credit_used > 0 AS credit, overage_used > 0 AS overage
         FROM tollgate.usage_counters WHERE workspace_id = $1 AND overage_used > 0`,
      [workspace.workspaceId],
    );
    expect(counter).toEqual({ quota: true, credit: true, overage: true });
  });

  const planted: [string, string, RegExp][] = [
    [
      'a counter that is a millionth off',
      'UPDATE tollgate.usage_counters SET quota_used = quota_used + 0.000001',
      /^counter of /,
    ],
    [
      'a counter with overage for quota',
      'UPDATE tollgate.usage_counters SET overage_used = overage_used + 1, quota_used = quota_used - 1 WHERE overage_used > 0',
      /^counter of /,
    ],
    [
      'a lost event',
      'DELETE FROM tollgate.usage_events WHERE idempotency_key = (SELECT max(idempotency_key) FROM tollgate.usage_events)',
      /^counter of /,
    ],
    ['a lost counter', 'DELETE FROM tollgate.usage_counters', /^counter of /],
    [
      'credits that came back',
      'UPDATE tollgate.credit_grants SET remaining = remaining + 0.5',
      /^grant crd_1: /,
    ],
    ['a lost grant', 'DELETE FROM tollgate.credit_grants', /^grant crd_1: /],
    [
      'an event that took less than its quantity',
      'UPDATE tollgate.usage_events SET quantity = quantity + 1',
      /^event uev_/,
    ],
    [
      'an alert that was notified twice',
      `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
       SELECT workspace_id, environment, id || '2', type, status, message, source, data, created_at
         FROM tollgate.developer_events WHERE type = 'USAGE_THRESHOLD_REACHED' LIMIT 1`,
      /^alert of sub_\w+, ai_tokens, billing_period from .*: (?:80|100) % of 10 was notified 2 times$/,
    ],
    [
      'an alert that its counter has forgotten, and would notify again',
      'UPDATE tollgate.usage_counters SET alerted_quota = NULL, alerted_percent = NULL',
      /^alert of sub_\w+, ai_tokens, billing_period from .*: 100 % of 10 was notified last, its counter has none$/,
    ],
    [
      'an alert of another quota than its counter has',
      'UPDATE tollgate.usage_counters SET alerted_quota = 12 WHERE alerted_quota IS NOT NULL',
      /^alert of .*: 100 % of 10 was notified last, its counter has 100 % of 12$/,
    ],
    [
      'low credits that were notified twice',
      `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
       SELECT workspace_id, environment, id || '2', type, status, message, source, data, created_at
         FROM tollgate.developer_events WHERE type = 'CREDITS_LOW'`,
      /^low credits of cus_\w+ were notified 2 times, of 1 grants$/,
    ],
    [
      'a grant that has forgotten that it was notified',
      'UPDATE tollgate.credit_grants SET low_alerted_at = NULL',
      /^low credits of cus_\w+ were notified 1 times, of 0 grants$/,
    ],
    ['an event without deductions', "UPDATE tollgate.usage_events SET deductions = '[]'", /^event uev_/],
  ];
  test.each(planted)('finds %s', async (_, fault, finding) => {
    const tables = ['usage_counters', 'usage_events', 'credit_grants', 'developer_events'];
    for (const table of tables)
      await service.database.query(`CREATE TABLE public.${table} AS TABLE tollgate.${table}`);
    try {
      await service.database.query(fault);
      expect(await faults()).toEqual(expect.arrayContaining([expect.stringMatching(finding)]));
    } finally {
      for (const table of tables) {
        await service.database.query(`DELETE FROM tollgate.${table}`);
        await service.database.query(`INSERT INTO tollgate.${table} TABLE public.${table}`);
        await service.database.query(`DROP TABLE public.${table}`);
      }
    }
    expect(await faults()).toEqual([]);
  });

  test('names some differences and counts all', async () => {
    await service.database.query(
      `INSERT INTO tollgate.credit_grants (workspace_id, environment, id, customer_id, amount, remaining, created_at)
       SELECT $1, 'sandbox', 'crd_off_' || n, (SELECT id FROM tollgate.customers LIMIT 1), 2, 1, $2 FROM generate_series(1, 25) AS n`,
      [workspace.workspaceId, new Date()],
    );
    const results = await verify();
    const mine = results.find((one) => one.differences > 0);
    expect(mine?.differences).toBe(25);
    expect(mine?.examples).toHaveLength(10);
  });
});
