import { textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { KnownLine, MatchedLine, NamedLine } from '../domain/provider-settlement';
import type { ReferenceKind } from '../providers/canonical-event';
import type { WorkspaceScope } from '../tenancy/actor';
import type { ConnectionRef } from '../connections/connection-ref';

type StoredLine = Omit<MatchedLine, 'amount' | 'fee'> & Record<'amount' | 'fee', string>;
const COLUMNS = {
  kind: 'kind',
  reference: 'reference',
  amount: 'amount',
  fee: 'fee',
  targetId: 'target_id',
};

type Named = Pick<NamedLine, 'kind' | 'reference'>;
type Known = Named & Omit<KnownLine, 'kind' | 'amount'> & { what: KnownLine['kind']; amount: string };

/**
 * Finds rows by references: payments that succeeded, and all refunds, which leave the provider's account before they
 * end and come back if they fail.
 */
const known = (lock: '' | 'FOR UPDATE') => `
WITH named AS (
  SELECT q.kind, q.reference, r.target_id
    FROM unnest(:kinds::text[], :references::text[]) AS q (kind, reference)
    JOIN tollgate.provider_references r ON r.kind = q.kind AND r.reference = q.reference
   WHERE r.workspace_id = :workspaceId AND r.environment = :environment AND r.provider = :provider)
SELECT named.kind, named.reference, known.* FROM named JOIN (
  SELECT p.id AS target_id, 'payment' AS what, p.id, p.amount, p.currency, p.settlement_id AS "settledBy", NULL AS "returnedBy"
    FROM (SELECT * FROM tollgate.payments p
           WHERE p.workspace_id = :workspaceId AND p.environment = :environment AND p.status = 'succeeded'
             AND p.id IN (SELECT target_id FROM named)
           ORDER BY p.id ${lock}) AS p
  UNION ALL
  SELECT f.found_as, 'refund', f.id, f.amount, f.currency, f.settlement_id, f.returned_settlement_id
    FROM (SELECT f.*, coalesce(f.dispute_id, f.id) AS found_as FROM tollgate.refunds f
           WHERE f.workspace_id = :workspaceId AND f.environment = :environment
             AND (f.id IN (SELECT target_id FROM named) OR f.dispute_id IN (SELECT target_id FROM named))
           ORDER BY f.id ${lock}) AS f) AS known
  ON known.target_id = named.target_id OR known.id = named.target_id`;

/**
 * Finds the row that each line of a settlement names: a payment, a refund, or the loss of a dispute. The provider pays
 * out its account, whichever connection to it a payment was recorded through.
 *
 * @returns looks a line up
 */
export async function findNamed(
  trx: DbTransaction,
  { scope, provider }: ConnectionRef,
  lines: readonly Named[],
  lock: 'lock' | 'read',
): Promise<(line: Named) => KnownLine | undefined> {
  const { rows } = await trx.raw<{ rows: Known[] }>(known(lock === 'lock' ? 'FOR UPDATE' : ''), {
    ...scope,
    provider,
    kinds: textArray(lines.map(({ kind }) => kind)),
    references: textArray(lines.map(({ reference }) => reference)),
  });
  const found = new Map(rows.map((row) => [keyOf(row), toKnown(row)]));
  return (line) => found.get(keyOf(line));
}

/** Replaces the lines of a settlement; an unchanged line stays marked as fetched. */
export async function replaceNamedLines(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  settlementId: string,
  lines: readonly MatchedLine[],
): Promise<void> {
  await namedLines(trx, { workspaceId, environment }, settlementId)
    .where('position', '>', lines.length)
    .delete();
  if (lines.length === 0) return;
  const of = (member: 'kind' | 'reference') => textArray(lines.map((line) => line[member]));
  await trx.raw(
    `INSERT INTO tollgate.settlement_lines AS l (workspace_id, environment, settlement_id, position, kind, reference, amount, fee, target_id)
     SELECT :workspaceId, :environment, :settlementId, row_number() OVER (), kind, reference, amount, fee, nullif(target, '')
       FROM unnest(:kinds::text[], :references::text[], :amounts::bigint[], :fees::bigint[], :targets::text[])
         AS line (kind, reference, amount, fee, target)
     ON CONFLICT (workspace_id, environment, settlement_id, position) DO UPDATE
       SET kind = EXCLUDED.kind, reference = EXCLUDED.reference, amount = EXCLUDED.amount, fee = EXCLUDED.fee, target_id = EXCLUDED.target_id,
           fetched_at = CASE WHEN (l.kind, l.reference) = (EXCLUDED.kind, EXCLUDED.reference) THEN l.fetched_at END`,
    {
      workspaceId,
      environment,
      settlementId,
      kinds: of('kind'),
      references: of('reference'),
      amounts: textArray(lines.map(({ amount }) => amount.toString())),
      fees: textArray(lines.map(({ fee }) => fee.toString())),
      targets: textArray(lines.map(({ targetId }) => targetId ?? '')),
    },
  );
}

/** Lists a settlement's lines as the provider named them, in its order. */
export async function listNamedLines(
  trx: DbTransaction,
  scope: WorkspaceScope,
  settlementId: string,
  only: { unmatched?: true; limit?: number } = {},
): Promise<MatchedLine[]> {
  const query = namedLines(trx, scope, settlementId).select<StoredLine[]>(COLUMNS);
  void query.orderBy('position');
  if (only.unmatched) void query.whereNull('target_id');
  if (only.limit !== undefined) void query.limit(only.limit);
  return (await query).map(toMatched);
}

/** A line to fetch, with its position. */
export interface UnknownLine {
  kind: ReferenceKind;
  reference: string;
  settlementId: string;
  position: number;
}

/**
 * Lists lines that name a payment, refund or dispute unknown here, or a refund that came back but has not failed here.
 * Lines never fetched come first, then those fetched longest ago, and among these the earliest settlement's.
 *
 * @param of the connection's settlements and those `listed` by id, if recorded at or after `since`
 */
export async function listUnknownLines(
  trx: DbTransaction,
  { scope, id }: ConnectionRef,
  of: { listed: readonly string[]; since: Instant },
  limit: number,
): Promise<UnknownLine[]> {
  const { rows } = await trx.raw<{ rows: UnknownLine[] }>(
    `SELECT l.kind, l.reference, l.settlement_id AS "settlementId", l.position
       FROM tollgate.settlements s
       JOIN tollgate.settlement_lines l ON l.workspace_id = s.workspace_id AND l.environment = s.environment AND l.settlement_id = s.id
       LEFT JOIN tollgate.refunds r ON r.workspace_id = l.workspace_id AND r.environment = l.environment AND r.id = l.target_id
      WHERE s.workspace_id = :workspaceId AND s.environment = :environment
        AND (s.connection_id = :id OR s.id = ANY (:listed::text[]))
        AND s.created_at >= :since AND s.status = 'settled' AND l.kind <> 'other'
        AND (l.target_id IS NULL OR (l.amount > 0 AND r.status <> 'failed'))
      ORDER BY l.fetched_at NULLS FIRST, s.period_end, s.id, l.position LIMIT :limit`,
    { ...scope, id, listed: textArray(of.listed), since: new Date(of.since), limit },
  );
  return rows;
}

/** @param at real time */
export async function saveFetched(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { settlementId, position }: UnknownLine,
  at: Instant,
): Promise<void> {
  await namedLines(trx, scope, settlementId)
    .where({ position })
    .update({ fetched_at: new Date(at) });
}

/** Finds settlements of a provider with an unlinked line of one of these references; ordered by id. */
export async function findSettlementsAwaiting(
  trx: DbTransaction,
  { scope, provider }: ConnectionRef,
  names: readonly Named[],
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `SELECT DISTINCT s.id
       FROM unnest(:kinds::text[], :references::text[]) AS q (kind, reference)
       JOIN tollgate.settlement_lines l ON l.reference = q.reference AND l.kind = q.kind AND l.target_id IS NULL
        AND l.workspace_id = :workspaceId AND l.environment = :environment
       JOIN tollgate.settlements s ON s.workspace_id = l.workspace_id AND s.environment = l.environment AND s.id = l.settlement_id
      WHERE s.provider = :provider AND s.status = 'settled'
      ORDER BY s.id`,
    {
      ...scope,
      provider,
      kinds: textArray(names.map(({ kind }) => kind)),
      references: textArray(names.map(({ reference }) => reference)),
    },
  );
  return rows.map((row) => row.id);
}

function namedLines(trx: DbTransaction, scope: WorkspaceScope, settlementId: string) {
  return trx({ l: 'tollgate.settlement_lines' }).where({
    ...tenantColumns(scope),
    settlement_id: settlementId,
  });
}

function keyOf({ kind, reference }: Named): string {
  return `${kind} ${reference}`;
}

function toMatched(row: StoredLine): MatchedLine {
  return { ...row, amount: BigInt(row.amount), fee: BigInt(row.fee) };
}

function toKnown({ what, id, amount, currency, settledBy, returnedBy }: Known): KnownLine {
  return { kind: what, id, amount: BigInt(amount), currency, settledBy, returnedBy };
}
