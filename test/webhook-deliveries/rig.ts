import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase, type Database } from '../../src/db/pools';
import { newIdentifier } from '../../src/identifiers/identifier';
import { createLogger } from '../../src/telemetry/logger';
import { omitUndefined } from '../../src/schemas/omit-undefined';
import type { WorkspaceScope } from '../../src/tenancy/actor';
import { AttemptsUnderWay } from '../../src/webhook-deliveries/attempts-under-way';
import { runDeliverer } from '../../src/webhook-deliveries/deliverer';
import { createDelivererMetrics } from '../../src/webhook-deliveries/deliverer-metrics';
import { createSendAttempt, type SendAttempt } from '../../src/webhook-deliveries/send-attempt';
import {
  createRenderMessage,
  createRenderMessages,
  type RenderMessages,
} from '../../src/webhook-messages/render-message';
import type { TestDatabase } from '../support/database';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, testSecrets, type TestService } from '../support/service';

export interface RunningDeliverer {
  stop(): Promise<void>;
  /** Drops the deliverer as if its process was killed: does not wait for attempts in flight. */
  abandon(): Promise<void>;
}

/** Starts a deliverer in this process, wired as `npm run deliver` wires it; loopback is allowed. */
export function startDeliverer(
  testDatabase: TestDatabase,
  options: {
    clock?: { now(): number };
    send?: SendAttempt;
    attemptMs?: number;
    total?: number;
    renderMany?: RenderMessages;
    log?: Logger;
  } = {},
): RunningDeliverer {
  const { log = createLogger('deliver', 'fatal') } = options;
  const database = openDatabase(testDatabase.url('tollgate_deliverer'), {
    max: 4,
    applicationName: 'tollgate-deliver',
    log,
  });
  const { clock = { now: () => Date.now() }, attemptMs } = options;
  const underWay = new AttemptsUnderWay();
  const metrics = createDelivererMetrics(new Registry(), { database, clock, underWay: () => underWay.total });
  const stopping = new AbortController();
  const running = runDeliverer(
    {
      database,
      clock,
      metrics,
      underWay,
      log,
      keyRing: createKeyRing(testSecrets.credentialKeys),
      send:
        options.send ??
        createSendAttempt({
          rules: { allowsLoopback: true },
          resolveHost: () => Promise.resolve([]),
          ...omitUndefined({ attemptMs }),
        }),
      render: createRenderMessage({ database, clock }),
      renderMany: options.renderMany ?? createRenderMessages({ database, clock }),
      random: Math.random,
      limits: { total: options.total ?? 50, each: 10 },
    },
    stopping.signal,
  );
  return {
    abandon: async () => {
      stopping.abort();
      await database.destroy();
    },
    stop: async () => {
      stopping.abort();
      await running;
      await database.destroy();
    },
  };
}

/** A service without a deliverer, and a deliverer's connection to its database. */
export interface EndpointRig {
  service: TestService;
  database: Database;
  client: OperatorClient;
  scope: WorkspaceScope;
  /** Creates an endpoint at the address. @returns its id */
  endpoint(url: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startEndpointRig(): Promise<EndpointRig> {
  const service = await startTestService({ webhookRules: { allowsLoopback: true } });
  const database = service.open('tollgate_deliverer', 2);
  const client = await logIn(service, { role: 'developer' });
  return {
    service,
    database,
    client,
    scope: { workspaceId: client.workspaceId, environment: 'sandbox' },
    endpoint: async (url) =>
      String((await client.post('/api/webhook-endpoints', { body: { url } })).body['id']),
    stop: () => service.stop(),
  };
}

/** Writes a message as an event does, with its payload unless it is yet to be rendered. @returns its id */
export async function announce(
  database: Pick<TestDatabase, 'query'>,
  { workspaceId, environment }: WorkspaceScope,
  { type = 'subscription.changed', resource = 'sub_1', at = Date.now(), isRendered = true } = {},
): Promise<string> {
  const id = newIdentifier('webhookMessage');
  await database.query("SELECT tollgate.announce($1, $2, $3, $4, 'subscription', $5, $6, $6)", [
    ...[workspaceId, environment, id, type, resource],
    new Date(at),
  ]);
  if (!isRendered) return id;
  await database.query(
    `UPDATE tollgate.webhook_messages SET payload = jsonb_build_object('type', type, 'id', id, 'sequence', sequence,
            'timestamp', '2026-11-24T00:00:00.000Z', 'resource', jsonb_build_object('type', 'subscription', 'id', resource_id),
            'data', '{}'::jsonb)::text
      WHERE id = $1`,
    [id],
  );
  return id;
}

/** Returns the state of a delivery. */
export async function deliveryOf(
  database: Pick<TestDatabase, 'query'>,
  endpointId: string,
  messageId: string,
): Promise<{ status: string; attempts: number; next: number | null } | undefined> {
  const [row] = await database.query<{ status: string; attempts: number; next: number | null }>(
    `SELECT status, attempts, next_attempt_at AS next FROM tollgate.webhook_deliveries
      WHERE endpoint_id = $1 AND message_id = $2`,
    [endpointId, messageId],
  );
  return row;
}
