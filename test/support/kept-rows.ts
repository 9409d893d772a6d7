import type { TestDatabase } from './database';

/** A copy of all of the service's rows at one moment, which a test can restore. */
export class KeptRows {
  private constructor(
    private readonly database: TestDatabase,
    private readonly tables: readonly { name: string; columns: string }[],
  ) {}

  static async keep(database: TestDatabase): Promise<KeptRows> {
    // Generated columns are left out because they cannot be written.
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

  /** Restores the rows in one transaction. Constraints held when they were copied and are not checked again. */
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
