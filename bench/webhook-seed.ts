import { Client } from 'pg';
import { announceCall } from '../src/announcements/announcement-store';
import { createKeyRing } from '../src/credentials/key-ring';
import { contextCall, inOneRoundTrip } from '../src/db/calls';
import type { Database } from '../src/db/pools';
import type { WebhookType } from '../src/domain/webhook-types';
import { newIdentifier } from '../src/identifiers/identifier';
import type { WorkspaceScope } from '../src/tenancy/actor';
import { newSecret, sealSecret } from '../src/webhook-endpoints/sealed-secret';
import { benchSecrets, customerStatements } from './seed';

/** Target of a message: the one endpoint of its workspace that subscribes to its type. */
export interface Target {
  scope: WorkspaceScope;
  type: WebhookType;
  isLiving: boolean;
}

/** Types of the endpoints that share a workspace, one each. */
const TYPES = [
  'subscription.created',
  'subscription.changed',
  'subscription.past_due',
  'subscription.renewed',
  'subscription.cancelled',
  'subscription.expired',
  'approval.needed',
  'approval.given',
  'approval.expired',
  'drift.found',
] as const satisfies WebhookType[];

/**
 * Creates endpoints of production, ten to a workspace, each with its own type, and earlier deliveries to them: the
 * tables of an installation in use are neither empty nor unknown to the planner.
 *
 * @param urlOf returns an endpoint's address by its number; the first `dead` are dead
 */
export async function seedEndpoints(
  adminUrl: string,
  { endpoints, dead, delivered }: { endpoints: number; dead: number; delivered: number },
  urlOf: (index: number) => string,
): Promise<Target[]> {
  const key = createKeyRing(benchSecrets.credentialKeys).find('k1');
  if (key === undefined) throw new Error('There is no key.');
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  const targets: Target[] = [];
  let workspaceId = '';
  for (let index = 0; index < endpoints; index += 1) {
    const type = TYPES[index % TYPES.length] ?? TYPES[0];
    if (type === TYPES[0]) {
      workspaceId = newIdentifier('organization');
      await client.query(
        'INSERT INTO tollgate.organizations (workspace_id, name, slug, created_at) VALUES ($1, $1, $1, now())',
        [workspaceId],
      );
      for (const statement of customerStatements(`'${workspaceId}', 'production'`, SUBSCRIPTIONS))
        await client.query(statement);
    }
    const id = newIdentifier('webhookEndpoint');
    const scope = { workspaceId, environment: 'production' } as const;
    const sealed = sealSecret(key, scope, id, { revision: 1, secret: newSecret() });
    await client.query(
      `INSERT INTO tollgate.webhook_endpoints
         (workspace_id, environment, id, url, event_types, secret_envelope, created_at, updated_at)
       VALUES ($1, 'production', $2, $3, ARRAY[$4], $5, now(), now())`,
      [workspaceId, id, urlOf(index), type, JSON.stringify(sealed)],
    );
    await client.query(DELIVERED, [workspaceId, id, type, Math.ceil(delivered / endpoints)]);
    targets.push({ scope, type, isLiving: index >= dead });
  }
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
  await client.end();
  return targets;
}

/** Subscriptions of each workspace. */
const SUBSCRIPTIONS = 1_000;

/** Inserts messages of yesterday to one endpoint, each with its attempt. */
const DELIVERED = `
  WITH message AS (
    INSERT INTO tollgate.webhook_messages
      (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at, created_at, payload)
    SELECT $1, 'production', 'msg_0' || $2 || n, $3::text, 'subscription', 'sub_0' || $2 || n, 1, t, t, repeat('x', 900)
      FROM generate_series(1, $4) n, LATERAL (SELECT now() - interval '1 day' + n * interval '1 second') AS at (t)
    RETURNING *
  ), sequence AS (
    INSERT INTO tollgate.webhook_sequences (workspace_id, environment, resource_kind, resource_id, last)
    SELECT workspace_id, environment, resource_kind, resource_id, 1 FROM message
  ), delivery AS (
    INSERT INTO tollgate.webhook_deliveries
      (workspace_id, environment, endpoint_id, message_id, status, attempts, created_at, ended_at)
    SELECT workspace_id, environment, $2, id, 'delivered', 1, created_at, created_at FROM message
  )
  INSERT INTO tollgate.webhook_attempts
    (workspace_id, environment, id, endpoint_id, message_id, attempted_at, duration_ms, status_code, answer)
  SELECT workspace_id, environment, 'wat_' || id, $2, id, created_at, 10, 204, '' FROM message`;

/**
 * Writes messages, each for the next target in turn: those of a tenant in one transaction of the API's role, as events
 * do. The deliverer renders them.
 */
export async function writeMessages(
  database: Database,
  targets: readonly Target[],
  first: number,
  count: number,
): Promise<void> {
  const now = Date.now();
  const tenants = new Map<string, (Target & { n: number })[]>();
  for (let n = first; n < first + count; n += 1) {
    const target = targets[n % targets.length];
    if (target === undefined) continue;
    const { workspaceId } = target.scope;
    tenants.set(workspaceId, [...(tenants.get(workspaceId) ?? []), { ...target, n }]);
  }
  await Promise.all(
    [...tenants.values()].map(async (messages) => {
      const [one] = messages;
      if (one === undefined) return;
      const facts = messages.map(({ type, n }) => ({
        type,
        resource: { kind: 'subscription', id: `sub_${1 + (n % SUBSCRIPTIONS)}` } as const,
      }));
      await inOneRoundTrip(database, [
        contextCall(one.scope, 'SYSTEM', null),
        announceCall(one.scope, facts, now),
      ]);
    }),
  );
}
