import { randomBytes } from 'node:crypto';
import { openDatabase } from '../src/db/pools';
import { createOperatorWithOrganization } from '../src/organizations/create-operator';
import { createLogger } from '../src/telemetry/logger';
import { onServer, type Scratch } from './seed';

/** Varies the workspace's subscriptions, gives each a transaction and a payment, and adds events of three days. */
export async function seedLists(
  scratch: Scratch,
  subscriptions: number,
  events: number,
): Promise<{ email: string; password: string }> {
  const tenant = `'${scratch.workspaceId}', 'production'`;
  await onServer(scratch.url(), [
    // Of a hundred: two past due, four cancelled, two on trial, two ending, five at provider B.
    `UPDATE tollgate.subscriptions SET
       status = CASE n % 100 WHEN 1 THEN 'past_due' WHEN 2 THEN 'past_due' WHEN 3 THEN 'trialing' WHEN 4 THEN 'trialing'
                             WHEN 5 THEN 'cancelled' WHEN 6 THEN 'cancelled' WHEN 7 THEN 'active' WHEN 8 THEN 'expired'
                             ELSE 'active' END,
       past_due_since = CASE WHEN n % 100 IN (1, 2) THEN now() END,
       cancel_at_period_end = n % 100 IN (9, 10),
       provider = CASE WHEN n % 100 BETWEEN 11 AND 15 THEN 'provider_b' ELSE 'internal' END,
       provider_work = CASE WHEN n % 1000 = 11 THEN ${work('request')} WHEN n % 1000 = 112 THEN ${work('unsettled')} END,
       created_at = now() - n * interval '1 minute'
      FROM (SELECT id AS subscription, substr(id, 5)::int AS n FROM tollgate.subscriptions) AS q WHERE id = subscription`,
    `INSERT INTO tollgate.subscription_transactions (workspace_id, environment, id, subscription_id, customer_id, kind, status,
         currency, subtotal, tax_amount, total, amount_paid, tax, lines, period_start, period_end, due_at, created_at)
       SELECT ${tenant}, 'txn_' || n, 'sub_' || n, 'cus_' || n, 'initial', CASE WHEN n % 20 = 0 THEN 'pending' ELSE 'paid' END, 'USD',
              2900, 0, 2900, CASE WHEN n % 20 = 0 THEN 0 ELSE 2900 END, '{"behavior":"none","rates":[]}', '[]', now(),
              now() + interval '1 month', now(), now() - n * interval '1 minute'
         FROM generate_series(1, ${subscriptions}) AS n`,
    `INSERT INTO tollgate.payments (workspace_id, environment, id, customer_id, subscription_id, transaction_id, provider, status,
         currency, amount, applied_amount, received_at, created_at)
       SELECT ${tenant}, 'pay_' || n, 'cus_' || n, 'sub_' || n, 'txn_' || n, 'internal', 'succeeded', 'USD', 2900, 2900, at, at
         FROM (SELECT n, now() - n * interval '1 minute' AS at FROM generate_series(1, ${subscriptions}) AS n) AS q
        WHERE n % 20 <> 0`,
    `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at, recorded_at)
       SELECT ${tenant}, 'evt_' || n, CASE WHEN denied THEN 'ENTITLEMENT_DENIED' ELSE 'USAGE_TRACKED' END,
              CASE WHEN denied THEN 'DENIED' ELSE 'OK' END, 'c' || c || ' is ' || CASE WHEN denied THEN 'denied' ELSE 'allowed' END
              || ' 5 ai_tokens.', 'api', json_build_object('customerId', 'cus_' || c, 'externalId', 'c' || c, 'feature', 'ai_tokens'),
              at, at
         FROM (SELECT n, 1 + n % ${subscriptions} AS c, n % 50 = 0 AS denied,
                      now() - n * interval '170 milliseconds' AS at FROM generate_series(1, ${events}) AS n) AS q`,
    'VACUUM (ANALYZE)',
    'CHECKPOINT',
  ]);
  return makeOperator(scratch);
}

/** Work in progress at a provider, as far as lists read it. */
function work(member: 'request' | 'unsettled'): string {
  const request = `jsonb_build_object('planId', 'plan_1', 'planSlug', 'pro', 'seats', 2, 'unitAmount', '2900', 'pricing', 'flat',
    'interval', 'month', 'planReference', 'P-1', 'requestedAt', 0, 'approvalUrl', null, 'lookAt', 0, 'expiresAt', 4102444800000)`;
  const unsettled = `jsonb_build_object('operationId', 'op_1', 'intent', jsonb_build_object('kind', 'cancel'), 'calls', '[]'::jsonb,
    'key', 'k', 'since', 0, 'tries', 1, 'retryAt', 4102444800000)`;
  return `jsonb_build_object('unsettled', ${member === 'unsettled' ? unsettled : "'null'::jsonb"}, 'request', ${member === 'request' ? request : "'null'::jsonb"})`;
}

/** Creates an owner of the benchmark's workspace, in addition to the organization that is created with an operator. */
export async function makeOperator(scratch: Scratch): Promise<{ email: string; password: string }> {
  const operator = {
    email: `bench-${randomBytes(6).toString('hex')}@example.test`,
    password: randomBytes(16).toString('hex'),
  };
  const log = createLogger('bench', 'error');
  const database = openDatabase(scratch.appUrl, { max: 1, applicationName: 'tollgate-bench-seed', log });
  try {
    const { operatorId } = await createOperatorWithOrganization(database, {
      ...operator,
      name: 'Bench',
      organization: 'Own',
      isPlatformAdministrator: false,
      now: Date.now(),
    });
    await onServer(scratch.url(), [
      `INSERT INTO tollgate.organization_members (workspace_id, operator_id, role, created_at)
         VALUES ('${scratch.workspaceId}', '${operatorId}', 'owner', now())`,
    ]);
  } finally {
    await database.destroy();
  }
  return operator;
}
