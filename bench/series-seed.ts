import { QUARTER_MS } from '../src/domain/calendar-buckets';
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
  const tenant = tenantOf(scratch);
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
      insertUses(scratch, {
        name: 'seed',
        numbers: { from, to: Math.min(events, from + CHUNK), count: events },
        customers,
        time: MONTH,
      }),
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
  const time = { from: MONTH.to - QUARTER_MS, to: MONTH.to };
  await onServer(scratch.url(), [
    insertUses(scratch, { name, numbers: { from: 0, to: count, count }, customers, time }),
  ]);
}

interface Uses {
  /** Prefix of the keys and ids. */
  name: string;
  /** Which of `count` uses to insert: from number `from` up to, and without, number `to`. */
  numbers: { from: number; to: number; count: number };
  customers: number;
  /** The time range over which all `count` uses are spread. */
  time: { from: number; to: number };
}

function insertUses(scratch: Scratch, { name, numbers, customers, time }: Uses): string {
  const tenant = tenantOf(scratch);
  return `INSERT INTO tollgate.usage_events (workspace_id, environment, idempotency_key, id, fingerprint, customer_id, feature_id,
      quantity, source, deductions, answer, recorded_at, properties)
    SELECT ${tenant}, '${name}-' || n, 'uev_${name}' || lpad(n::text, 10, '0'), '\\x00',
           'cus_' || (1 + floor(${customers} * power(random(), 3))), 'feat_' || (1 + floor(${FEATURES.length} * power(random(), 2))),
           1 + floor(random() * 5000), 'seed', '[]', '{}',
           date_trunc('milliseconds', to_timestamp((${time.from} + (${time.to} - ${time.from})::float8 * n / ${numbers.count}) / 1000)),
           json_build_object('model', 'model-' || floor(20 * power(random(), 2)))
      FROM generate_series(${numbers.from}, ${numbers.to - 1}) AS n`;
}

function tenantOf({ workspaceId }: Scratch): string {
  return `'${workspaceId}', 'production'`;
}
