import type { TestDatabase } from './database';

/** All rows of the service as they were at one moment, to begin from again. */
export class KeptRows {
  private constructor(
    private readonly database: TestDatabase,
    private readonly tables: readonly { name: string; columns: string }[],
  ) {}

  static async keep(database: TestDatabase): Promise<KeptRows> {
    // Without the columns that are made of others: nobody can write them.
    const tables = await database.query<{ name: string; columns: string }>(
      `SELECT quote_ident(c.relname) AS name,
              (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute a
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'tollgate' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
    );
    const copies = tables.map(({ name }) => `CREATE TABLE kept.${name} AS TABLE tollgate.${name};`);
    await database.query(`DROP SCHEMA IF EXISTS kept CASCADE; CREATE SCHEMA kept; ${copies.join(' ')}`);
    return new KeptRows(database, tables);
  }

  /** In one transaction; what holds between the rows held when they were kept, and is not asked again. */
  async restore(): Promise<void> {
    const moves = this.tables.map(
      ({ name, columns }) =>
        `DELETE FROM tollgate.${name}; INSERT INTO tollgate.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM kept.${name};`,
    );
    await this.database.query(
      `BEGIN; SET LOCAL session_replication_role = replica; ${moves.join(' ')} COMMIT;`,
    );
  }
}
