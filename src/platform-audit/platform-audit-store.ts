import type { Database, DbTransaction } from '../db/pools';
import { groupBy } from '../domain/group-by';
import { MINUTE_MS, type Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';

/** The actor on the installation as a whole. */
export interface PlatformOperator {
  operatorId: string | null;
  ip: string | null;
  /** Real time. */
  receivedAt: Instant;
}

/** An action or attempt. `detail` is for people and holds no secret. */
export interface PlatformAct {
  /** Dotted, in the past tense: `operator.logged_in`. */
  action: string;
  detail?: Readonly<Record<string, unknown>>;
  /** For a webhook: the host that received it, and the provider in its path. */
  host?: string;
  provider?: string;
}

/** Maximum number of rows one action may add per minute if unauthenticated callers can cause it. */
const ROWS_A_MINUTE = 60;

/** Records an action, in the transaction that performs it if there is one. */
export async function recordPlatformAudit(
  database: Database | DbTransaction,
  operator: PlatformOperator,
  act: PlatformAct,
): Promise<void> {
  await database('tollgate.platform_audit').insert(columnsOf(operator, act));
}

/** An action and its actor. */
export interface PlatformRecord {
  operator: PlatformOperator;
  act: PlatformAct;
}

/**
 * Records an action that unauthenticated callers can cause without limit. Above a number per minute it increases the
 * count of one row instead: the sum of counts is the number of attempts, and a flood does not grow the table.
 */
export async function countPlatformAudit(
  database: Database | DbTransaction,
  operator: PlatformOperator,
  act: PlatformAct,
  rowsAMinute = ROWS_A_MINUTE,
): Promise<void> {
  await countPlatformAudits(database, [{ operator, act }], rowsAMinute);
}

/** Does the same for many at once, possibly of different minutes. */
export async function countPlatformAudits(
  database: Database | DbTransaction,
  records: readonly PlatformRecord[],
  rowsAMinute = ROWS_A_MINUTE,
): Promise<void> {
  const columns = records.map(({ operator, act }) => columnsOf(operator, act));
  const minutes = groupBy(columns, ({ action, minute }) => JSON.stringify([action, minute]));
  for (const ofMinute of minutes.values()) {
    const [first] = ofMinute;
    if (first === undefined) continue;
    const { rows } = await database.raw<{ rows: { count: number }[] }>(
      `SELECT count(*)::int AS count FROM (SELECT FROM tollgate.platform_audit
        WHERE action = ? AND minute = ? AND NOT overflow LIMIT ?) AS rows`,
      [first.action, first.minute, rowsAMinute],
    );
    const own = ofMinute.slice(0, Math.max(0, rowsAMinute - (rows[0]?.count ?? 0)));
    if (own.length > 0) await database('tollgate.platform_audit').insert(own);
    const more = ofMinute.slice(own.length);
    for (const same of groupBy(more, ({ host, provider }) => JSON.stringify([host, provider])).values()) {
      await raiseCount(database, same[0] ?? first, same.length, same.at(-1)?.last_at ?? first.last_at);
    }
  }
}

/** Increases the count of an action in its minute, without a row for each. */
export async function addPlatformCount(
  database: Database | DbTransaction,
  { act, receivedAt }: { act: PlatformAct; receivedAt: Instant },
  times: number,
): Promise<void> {
  const columns = columnsOf({ operatorId: null, ip: null, receivedAt }, act);
  await raiseCount(database, columns, times, columns.last_at);
}

async function raiseCount(
  database: Database | DbTransaction,
  columns: ReturnType<typeof columnsOf>,
  times: number,
  lastAt: Date,
): Promise<void> {
  // No role of the service can change recorded rows. Only this function increases a count.
  await database.raw('SELECT tollgate.count_platform_audit(?, ?, ?, ?, ?, ?, ?, ?)', [
    ...[columns.id, columns.action, columns.host, columns.provider],
    ...[columns.minute, columns.created_at, lastAt, times],
  ]);
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
