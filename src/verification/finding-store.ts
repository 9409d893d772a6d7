import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';

/** How many differences of a kind are listed as examples; all are counted. */
const NAMED = 10;

export interface Finding {
  /** How many rows differ. */
  count: number;
  /** The first of them, in words. */
  examples: string[];
}

/** @param query a row for each difference, its `example` in words */
export async function findingOf(trx: DbTransaction, scope: WorkspaceScope, query: string): Promise<Finding> {
  const { rows } = await trx.raw<{ rows: { example: string; count: string }[] }>(
    `SELECT example, count(*) OVER () AS count FROM (${query}) AS differences ORDER BY example LIMIT :named`,
    { ...scope, named: NAMED },
  );
  return { count: Number(rows[0]?.count ?? 0), examples: rows.map((row) => row.example) };
}

/** The finding of what was compared elsewhere. */
export function findingOfAll(differences: readonly string[]): Finding {
  return { count: differences.length, examples: [...differences].sort().slice(0, NAMED) };
}

/** The checks read whole histories: the limit for a request's statements does not fit them. */
export async function allowLongStatements(trx: DbTransaction): Promise<void> {
  await trx.raw('SET LOCAL statement_timeout = 0');
}
