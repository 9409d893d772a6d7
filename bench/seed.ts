import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { DAY_MS } from '../src/domain/instant';
import { generateApiKey, hashApiKey } from '../src/api-keys/api-key';
import { migrate, prepareRoles, type LoginRole } from '../src/db/migrate';
import { makePartitions } from '../src/events/partitions-store';
import { newIdentifier } from '../src/identifiers/identifier';

export const benchSecrets = {
  apiKeyPepper: 'bench-pepper-bench-pepper-bench-pepper',
  cursorSecret: 'bench-cursor-bench-cursor-bench-cursor',
  credentialKeys: { keys: [{ id: 'k1', key: Buffer.alloc(32, 'bench') }], activeKeyId: 'k1' },
};

const PASSWORD = 'bench';

export interface Scratch {
  /** Name of the database. */
  name: string;
  appUrl: string;
  workspaceId: string;
  key: string;
  /** Returns the database's URL for a role, or for the superuser. */
  url: (role?: LoginRole) => string;
  drop(): Promise<void>;
}

/**
 * Creates a migrated scratch database with one workspace, one plan and `customers` subscribed customers `c1` … `cN`.
 */
export async function seedScratch(
  adminUrl: string,
  customers: number,
  usageEvents: number,
): Promise<Scratch> {
  const name = `bench_${randomUUID().slice(0, 8)}`;
  const key = generateApiKey('production');
  const workspaceId = newIdentifier('organization');
  const scratch = scratchIn(adminUrl, { name, workspaceId, key });
  const at = scratch.url;
  await onServer(adminUrl, [`CREATE DATABASE ${name}`]);
  await prepareRoles(at(), {
    tollgate_migrator: PASSWORD,
    tollgate_app: PASSWORD,
    tollgate_worker: PASSWORD,
    tollgate_deliverer: PASSWORD,
  });
  await migrate(at('tollgate_migrator'));
  await makePartitions(at('tollgate_migrator'), { from: Date.now() - DAY_MS, days: 4 });
  await onServer(at(), workspaceStatements(workspaceId, key, customers, usageEvents));
  return scratch;
}

/** Reopens a scratch database of an earlier run, migrated to the current schema. */
export async function reopenScratch(
  adminUrl: string,
  kept: Pick<Scratch, 'name' | 'workspaceId' | 'key'>,
): Promise<Scratch> {
  const scratch = scratchIn(adminUrl, kept);
  await migrate(scratch.url('tollgate_migrator'));
  await makePartitions(scratch.url('tollgate_migrator'), { from: Date.now() - DAY_MS, days: 4 });
  return scratch;
}

function scratchIn(
  adminUrl: string,
  { name, workspaceId, key }: Pick<Scratch, 'name' | 'workspaceId' | 'key'>,
): Scratch {
  const url = (role?: LoginRole): string => {
    const address = new URL(adminUrl);
    address.pathname = `/${name}`;
    if (role !== undefined) Object.assign(address, { username: role, password: PASSWORD });
    return address.href;
  };
  const drop = (): Promise<void> => onServer(adminUrl, [`DROP DATABASE ${name} WITH (FORCE)`]);
  return { name, appUrl: url('tollgate_app'), workspaceId, key, url, drop };
}

function workspaceStatements(
  workspace: string,
  key: string,
  customers: number,
  usageEvents: number,
): string[] {
  const tenant = `'${workspace}', 'production'`;
  const hash = hashApiKey(key, benchSecrets.apiKeyPepper).toString('hex');
  return [
    `INSERT INTO tollgate.organizations VALUES ('${workspace}', 'Bench', 'bench', now())`,
    `INSERT INTO tollgate.workspace_settings VALUES (${tenant}, 'USD', 'UTC', 'none', '[]', '{}', 'internal', 7, 7, 30, now())`,
    // The generators send more with one key than an organization's servers do.
    'UPDATE tollgate.workspace_settings SET key_requests_per_second = 1000000, key_concurrent_requests = 1000000',
    `INSERT INTO tollgate.api_keys (workspace_id, environment, id, name, key_hash, last_four, created_at)
       VALUES (${tenant}, '${newIdentifier('apiKey')}', 'bench', '\\x${hash}', '0000', now())`,
    ...customerStatements(tenant, customers),
    ...(usageEvents === 0
      ? []
      : [
          `INSERT INTO tollgate.usage_events
             SELECT ${tenant}, 'seed-' || n, 'uev_' || n, '\\x00', 'cus_' || (1 + n % ${customers}), 'feat_1', 1, 'seed', '[]', '{}', now()
               FROM generate_series(1, ${usageEvents}) n`,
        ]),
    'VACUUM (ANALYZE)',
    'CHECKPOINT',
  ];
}

/** Returns statements for a plan and its customers. @param tenant two literals, as in a list of columns */
export function customerStatements(tenant: string, customers: number): string[] {
  return [
    `INSERT INTO tollgate.plan_groups VALUES (${tenant}, 'pgrp_1', 'main', 'Main', now(), now())`,
    `INSERT INTO tollgate.plans VALUES (${tenant}, 'plan_1', 'pgrp_1', 'pro', 'Pro', 2900, 'USD', 'month', 'flat', 0, '{}', now(), now())`,
    `INSERT INTO tollgate.features VALUES (${tenant}, 'feat_1', 'ai_tokens', 'AI tokens', 'metered', 'token', now(), now())`,
    `INSERT INTO tollgate.plan_entitlements VALUES (${tenant}, 'ent_1', 'plan_1', 'feat_1', 100000000000, false, 'billing_period', 'hard', NULL, now(), now())`,
    `INSERT INTO tollgate.customers (workspace_id, environment, id, external_id, metadata, created_at, updated_at)
       SELECT ${tenant}, 'cus_' || n, 'c' || n, '{}', now(), now() FROM generate_series(1, ${customers}) n`,
    `INSERT INTO tollgate.subscriptions (workspace_id, environment, id, customer_id, plan_group_id, plan_id, provider, status, seats,
         unit_amount, currency, billing_interval, pricing, time_zone, started_at, billing_anchor, current_period_start,
         current_period_end, metadata, tax, created_at, updated_at)
       SELECT ${tenant}, 'sub_' || n, 'cus_' || n, 'pgrp_1', 'plan_1', 'internal', 'active', 1, 2900, 'USD', 'month', 'flat', 'UTC',
         a, a, a, a + interval '1 month', '{}', '{"behavior":"none","rates":[]}', a, a
         FROM (SELECT n, now() - (n % 28) * interval '1 day' AS a FROM generate_series(1, ${customers}) n) AS s`,
  ];
}

export async function onServer(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
