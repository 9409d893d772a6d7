import type { TestDatabase } from './database';

/** All rows of the service as they were at one moment, to begin from again. */
export class KeptRows {
  private constructor(
    private readonly database: TestDatabase,
    private readonly tables: readonly string[],
  ) {}

  static async keep(database: TestDatabase): Promise<KeptRows> {
    const found = await database.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'tollgate' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
    );
    const tables = found.map(({ name }) => `"${name}"`);
    const copies = tables.map((name) => `CREATE TABLE kept.${name} AS TABLE tollgate.${name};`);
    await database.query(`DROP SCHEMA IF EXISTS kept CASCADE; CREATE SCHEMA kept; ${copies.join(' ')}`);
    return new KeptRows(database, tables);
  }

  /** In one transaction; what holds between the rows held when they were kept, and is not asked again. */
  async restore(): Promise<void> {
    const moves = this.tables.map(
      (name) =>
        `DELETE FROM tollgate.${name}; INSERT INTO tollgate.${name} OVERRIDING SYSTEM VALUE SELECT * FROM kept.${name};`,
    );
    await this.database.query(
      `BEGIN; SET LOCAL session_replication_role = replica; ${moves.join(' ')} COMMIT;`,
    );
  }
}
