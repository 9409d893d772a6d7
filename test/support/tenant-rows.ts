import type { TestDatabase } from './database';

/** Returns for each table the count and a hash of an organization's rows. @param name the organization's name */
export async function rowsOf(
  database: Pick<TestDatabase, 'query'>,
  name: string,
  { except = [] }: { except?: readonly string[] } = {},
): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'tollgate' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> ALL ($1)
        AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id') ORDER BY 1`,
    [except],
  );
  const lines: string[] = [];
  for (const table of tables) {
    const [row] = await database.query<{ count: number; hash: string | null }>(
      `SELECT count(*)::int AS count, md5(string_agg(t::text, ',' ORDER BY t::text)) AS hash FROM tollgate.${table.name} t
        WHERE workspace_id = (SELECT workspace_id FROM tollgate.organizations WHERE name = $1)`,
      [name],
    );
    lines.push(`${table.name} ${row?.count ?? 0} ${row?.hash ?? ''}`);
  }
  return lines.join('\n');
}
