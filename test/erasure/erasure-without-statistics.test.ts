import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { createCustomer } from '../catalog/offer';
import { logIn } from '../support/operator';
import { until } from '../support/until';
import { useService } from '../support/use-service';
import { Erasing } from './erasing';

/** Tables that were not analyzed since they were filled, as after midnight (UTC), or after a restore. */
const ROWS = 6_000;
const DAY = new Date(Date.now() - 3 * DAY_MS);
const TABLES = [`developer_events_${DAY.toISOString().slice(0, 10).replaceAll('-', '')}`, 'webhook_messages'];

const service = useService();
beforeAll(async () => {
  for (const table of TABLES) {
    await service.database.query(`ALTER TABLE tollgate.${table} SET (autovacuum_enabled = false)`);
  }
});

interface Reads {
  table: string;
  read: number;
  updated: number;
}

const readsOf = (): Promise<Reads[]> =>
  service.database.query<Reads>(
    `SELECT relname AS table, (seq_tup_read + coalesce(idx_tup_fetch, 0))::float AS read, n_tup_upd::int AS updated
       FROM pg_stat_user_tables WHERE schemaname = 'tollgate' AND relname = ANY ($1) ORDER BY 1`,
    [TABLES],
  );

test('an erasure reads each row a few times, whatever Postgres knows of the table', async () => {
  const operator = await logIn(service, { role: 'admin' });
  const { id } = await createCustomer(operator, `jane-${randomUUID()}`);
  const values = [operator.workspaceId, id, ROWS];
  await service.database.query(
    `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
     SELECT $1, 'sandbox', 'evt_' || n, CASE WHEN n % 4 = 0 THEN 'USAGE_CHECKED' ELSE 'PAYMENT_RECORDED' END, 'OK', 'Jane did.', 'api',
            CASE WHEN n % 4 = 1 THEN json_build_object('payer', $2::text) ELSE json_build_object('customerId', $2::text) END, $4
       FROM generate_series(1, $3::int) n`,
    [...values, DAY],
  );
  await service.database.query(
    `INSERT INTO tollgate.webhook_messages (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at,
            created_at, payload)
     SELECT $1, 'sandbox', 'msg_' || n, 'customer.created', 'customer', $2, n + 1000, $4, $4, '{}' FROM generate_series(1, $3::int) n`,
    [...values, DAY],
  );
  const erased = await operator.delete(`/api/customers/${id}`);
  const erasing = new Erasing(service);
  await erasing.finish(
    { workspaceId: operator.workspaceId, environment: 'sandbox' },
    String(erased.body['id']),
  );
  // A session reports what it has read at its end.
  await until(async () => (await readsOf()).every(({ updated }) => updated >= ROWS));
  for (const { table, read } of await readsOf()) {
    expect([table, read < 100 * ROWS || read]).toEqual([table, true]);
  }
});
