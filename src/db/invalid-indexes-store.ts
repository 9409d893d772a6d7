import { asOwner } from './owner-session';

/**
 * Returns the names of indexes that no query uses, because their build with CONCURRENTLY was interrupted or is still
 * running. A migration that finds an index of its name builds none.
 *
 * @param migratorUrl the address of tollgate_migrator
 */
export async function listInvalidIndexes(migratorUrl: string): Promise<string[]> {
  return asOwner(migratorUrl, { role: 'tollgate_owner' }, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = 'tollgate'::regnamespace AND c.relkind = 'i' AND NOT i.indisvalid ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  });
}
