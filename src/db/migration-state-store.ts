import { knownMigrations } from './migrate';
import type { Database } from './pools';

/**
 * Whether every migration that this build knows has run. A database that is ahead is current as well: during a
 * deployment the old build runs on the new schema.
 */
export async function migrationsAreCurrent(database: Database): Promise<boolean> {
  const known = await knownMigrations();
  const { rows } = await database.raw<{ rows: { name: string }[] }>(
    'SELECT name FROM tollgate_migrations.applied',
  );
  const applied = new Set(rows.map((row) => row.name));
  return known.every((name) => applied.has(name));
}
