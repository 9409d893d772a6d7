import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';

/** Maximum number of examples per kind of difference; all differences are counted. */
const NAMED = 10;

export interface Finding {
  /** How many rows differ. */
  count: number;
  /** The first of them, as text. */
  examples: string[];
}

/** @param query returns a row for each difference, with its `example` as text */
export async function findingOf(trx: DbTransaction, scope: WorkspaceScope, query: string): Promise<Finding> {
  const { rows } = await trx.raw<{ rows: { example: string; count: string }[] }>(
    `SELECT example, count(*) OVER () AS count FROM (${query}) AS differences ORDER BY example LIMIT :named`,
    { ...scope, named: NAMED },
  );
  return { count: Number(rows[0]?.count ?? 0), examples: rows.map((row) => row.example) };
}

/** Returns the finding for differences computed outside of the database. */
export function findingOfAll(differences: readonly string[]): Finding {
  return { count: differences.length, examples: [...differences].sort().slice(0, NAMED) };
}

/** Lifts the statement timeout: the checks read whole histories, which takes longer than a request's statements may. */
export async function allowLongStatements(trx: DbTransaction): Promise<void> {
  await trx.raw('SET LOCAL statement_timeout = 0');
}
