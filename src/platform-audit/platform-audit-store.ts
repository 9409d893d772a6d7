import type { Database, Transaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';

/** Who acts on the installation as a whole. */
export interface PlatformOperator {
  operatorId: string | null;
  ip: string | null;
  /** Real time. */
  receivedAt: Instant;
}

/** What was done, or tried. `detail` is for people and holds no secret. */
export interface PlatformAct {
  /** Dotted, in the past tense: `operator.logged_in`. */
  action: string;
  detail?: Readonly<Record<string, unknown>>;
  /** Of a webhook: the host that it came to, and the provider in its path. */
  host?: string;
  provider?: string;
}

/** Rows that one action may add in a minute where strangers cause them. */
const ROWS_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Records an act, in the transaction that does it where there is one. */
export async function recordPlatformAudit(
  database: Database | Transaction,
  operator: PlatformOperator,
  act: PlatformAct,
): Promise<void> {
  await database('tollgate.platform_audit').insert(columnsOf(operator, act));
}

/**
 * Records what a stranger can cause as often as they like. Above a number a minute it raises the count of one row
 * instead: the sum of counts is the number of attempts, and a flood does not grow the table.
 */
export async function countPlatformAudit(
  database: Database,
  operator: PlatformOperator,
  act: PlatformAct,
  rowsAMinute = ROWS_A_MINUTE,
): Promise<void> {
  const columns = columnsOf(operator, act);
  const { rows } = await database.raw<{ rows: { count: number }[] }>(
    `SELECT count(*)::int AS count FROM (SELECT FROM tollgate.platform_audit
      WHERE action = ? AND minute = ? AND NOT overflow LIMIT ?) AS rows`,
    [columns.action, columns.minute, rowsAMinute],
  );
  if ((rows[0]?.count ?? 0) < rowsAMinute) {
    await database('tollgate.platform_audit').insert(columns);
    return;
  }
  await database.raw(
    `INSERT INTO tollgate.platform_audit AS a (id, action, host, provider, detail, minute, overflow, created_at, last_at)
     VALUES (?, ?, ?, ?, '{}', ?, true, ?, ?)
     ON CONFLICT (action, coalesce(host, ''), coalesce(provider, ''), minute) WHERE overflow
     DO UPDATE SET count = a.count + 1, last_at = greatest(a.last_at, excluded.last_at)`,
    [
      ...[columns.id, columns.action, columns.host, columns.provider],
      ...[columns.minute, columns.created_at, columns.last_at],
    ],
  );
}

function columnsOf(operator: PlatformOperator, act: PlatformAct) {
  const at = new Date(operator.receivedAt);
  return {
    id: newIdentifier('platformAudit'),
    action: act.action,
    operator_id: operator.operatorId,
    host: act.host ?? null,
    provider: act.provider ?? null,
    detail: JSON.stringify(act.detail ?? {}),
    ip: operator.ip,
    minute: new Date(Math.floor(operator.receivedAt / MINUTE_MS) * MINUTE_MS),
    created_at: at,
    last_at: at,
  };
}
