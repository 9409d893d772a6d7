import type { ProviderCheckoutBench } from '../checkouts/provider-checkout-bench';
import type { PaymentProvider } from '../../src/domain/provider';

export interface ReportedState {
  subscriptions: Record<string, unknown>[];
  checkouts: Record<string, unknown>[];
  payments: Record<string, unknown>[];
  refunds: Record<string, unknown>[];
  settlements: Record<string, unknown>[];
  disputes: Record<string, unknown>[];
  references: Record<string, unknown>[];
  unmatched: Record<string, unknown>[];
}

/** All of the provider's references of a payment; the order of the webhooks decides which of them comes first. */
const NAMES = `(SELECT jsonb_agg(f.kind || ' ' || f.reference ORDER BY f.kind, f.reference) FROM (SELECT kind, reference FROM tollgate.provider_references
  WHERE workspace_id = $1 AND target_id = p.id) f)`;
const OF = `(SELECT ${NAMES} FROM tollgate.payments p WHERE p.workspace_id = $1 AND p.id = r.payment_id)`;
const THEIRS = `workspace_id = $1 AND payment_id IN (SELECT id FROM tollgate.payments WHERE workspace_id = $1 AND provider = $2)`;
/** Columns that record when, and how often, a row was written here. */
const WRITING = [
  ...['version', 'created_at', 'updated_at', 'next_wake_at', 'looks', 'payments_read_at'],
  ...['started_at', 'billing_anchor', 'cancelled_at', 'requested_at', 'completed_at'],
];

const QUERIES: Record<keyof ReportedState, string> = {
  subscriptions: `SELECT to_jsonb(s) AS row FROM tollgate.subscriptions s
    WHERE workspace_id = $1 AND provider = $2 ORDER BY id`,
  checkouts: `SELECT to_jsonb(c) AS row FROM tollgate.checkouts c WHERE workspace_id = $1 AND provider = $2 ORDER BY id`,
  payments: `SELECT to_jsonb(p) - '{id,reference,settlement_id}'::text[]
      || jsonb_build_object('names', ${NAMES}, 'settled', settlement_id IS NOT NULL) AS row
    FROM tollgate.payments p WHERE workspace_id = $1 AND provider = $2 ORDER BY ${NAMES}`,
  refunds: `SELECT to_jsonb(r) - '{id,payment_id,settlement_id}'::text[]
      || jsonb_build_object('of', ${OF}, 'settled', settlement_id IS NOT NULL) AS row
    FROM tollgate.refunds r WHERE ${THEIRS} ORDER BY ${OF}, amount, status`,
  settlements: `SELECT to_jsonb(s) - 'id' || jsonb_build_object('lines',
      (SELECT jsonb_agg(jsonb_build_array(l.kind, l.reference, l.amount, l.fee, l.target_id IS NOT NULL) ORDER BY l.position)
         FROM tollgate.settlement_lines l WHERE l.workspace_id = $1 AND l.settlement_id = s.id)) AS row
    FROM tollgate.settlements s WHERE workspace_id = $1 AND provider = $2 ORDER BY reference`,
  disputes: `SELECT to_jsonb(d) - '{id,payment_id}'::text[] AS row FROM tollgate.disputes d
    WHERE ${THEIRS} ORDER BY reference`,
  references: `SELECT jsonb_build_object('kind', kind, 'reference', reference, 'names', left(target_id, 4)) AS row
    FROM tollgate.provider_references WHERE workspace_id = $1 AND provider = $2 ORDER BY kind, reference`,
  unmatched: `SELECT jsonb_build_object('event', event_type) AS row FROM tollgate.webhook_events
    WHERE workspace_id = $1 AND provider = $2 AND status NOT IN ('applied', 'ignored') ORDER BY 1`,
};

/** Returns the workspace state that a provider's webhooks produce, without write times and random ids. */
export async function reportedState(
  bench: ProviderCheckoutBench,
  provider: PaymentProvider,
): Promise<ReportedState> {
  const { workspaceId } = bench.world.operator;
  const read = async (sql: string): Promise<Record<string, unknown>[]> => {
    const found = await bench.rows<{ row: Record<string, unknown> }>(sql, [workspaceId, provider]);
    for (const { row } of found) for (const column of WRITING) Reflect.deleteProperty(row, column);
    return found.map(({ row }) => row);
  };
  return {
    subscriptions: await read(QUERIES.subscriptions),
    checkouts: await read(QUERIES.checkouts),
    payments: await read(QUERIES.payments),
    refunds: await read(QUERIES.refunds),
    settlements: await read(QUERIES.settlements),
    disputes: await read(QUERIES.disputes),
    references: await read(QUERIES.references),
    unmatched: await read(QUERIES.unmatched),
  };
}
