import { onServer, type Scratch } from './seed';

/** Uses per transaction: as many as the largest roll-up batches. */
const CHUNK = 100_000;

const FEATURES = ['ai_tokens', 'api_calls', 'storage_gb', 'exports', 'seats_used'];

/** The month of the uses. */
export const MONTH = { from: Date.UTC(2026, 4, 1), to: Date.UTC(2026, 5, 1) };

/**
 * Generates uses of one month, in the order of their time: a tenth of the customers makes about half of them, one
 * feature in five has half, and each names one of twenty models.
 */
export async function seedUses(scratch: Scratch, events: number, customers: number): Promise<void> {
  const tenant = `'${scratch.workspaceId}', 'production'`;
  const names = FEATURES.map((key, place) => `('feat_${place + 1}', '${key}')`).join(', ');
  await onServer(scratch.url(), [
    `INSERT INTO tollgate.features (workspace_id, environment, id, key, name, kind, created_at, updated_at)
       SELECT ${tenant}, f.id, f.key, f.key, 'metered', now(), now() FROM (VALUES ${names}) AS f (id, key) ON CONFLICT DO NOTHING`,
    `UPDATE tollgate.features SET dimensions = '{model}'`,
    `INSERT INTO tollgate.usage_dimensions (workspace_id, environment, feature_id, name)
       SELECT workspace_id, environment, id, 'model' FROM tollgate.features`,
    'SELECT setseed(0.5)',
  ]);
  for (let from = 0; from < events; from += CHUNK) {
    await onServer(scratch.url(), [
      insertUses(tenant, from, Math.min(events, from + CHUNK), events, customers),
    ]);
  }
  await onServer(scratch.url(), ['VACUUM (ANALYZE)', 'CHECKPOINT']);
}

/** Generates uses of the month's last quarter of an hour, as they arrive between two roll-up rounds. */
export async function seedMoreUses(
  scratch: Scratch,
  name: string,
  count: number,
  customers: number,
): Promise<void> {
  const tenant = `'${scratch.workspaceId}', 'production'`;
  await onServer(scratch.url(), [
    insertUses(tenant, 0, count, count, customers, name, MONTH.to - 900_000, MONTH.to),
  ]);
}

function insertUses(
  tenant: string,
  from: number,
  to: number,
  all: number,
  customers: number,
  name = 'seed',
  begin = MONTH.from,
  end = MONTH.to,
): string {
  return `INSERT INTO tollgate.usage_events (workspace_id, environment, idempotency_key, id, fingerprint, customer_id, feature_id,
      quantity, source, deductions, answer, recorded_at, properties)
    SELECT ${tenant}, '${name}-' || n, 'uev_${name}' || lpad(n::text, 10, '0'), '\\x00',
           'cus_' || (1 + floor(${customers} * power(random(), 3))), 'feat_' || (1 + floor(${FEATURES.length} * power(random(), 2))),
           1 + floor(random() * 5000), 'seed', '[]', '{}',
           date_trunc('milliseconds', to_timestamp((${begin} + (${end} - ${begin})::float8 * n / ${all}) / 1000)),
           json_build_object('model', 'model-' || floor(20 * power(random(), 2)))
      FROM generate_series(${from}, ${to - 1}) AS n`;
}
