import type { Database } from './pools';

/**
 * Refuses a database role to which row-level security would not apply: a superuser, a role with BYPASSRLS, or one that
 * owns (or may act as the owner of) the schema.
 *
 * @throws Error that names the role and the fix
 */
export async function refusePrivilegedRole(database: Database): Promise<void> {
  const { rows } = await database.raw<{
    rows: { name: string; superuser: boolean; bypass: boolean; owner: boolean }[];
  }>(
    `SELECT current_user AS name, r.rolsuper AS superuser, r.rolbypassrls AS bypass,
            EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE n.nspname = 'tollgate' AND pg_has_role(current_user, c.relowner, 'MEMBER')) AS owner
     FROM pg_roles r WHERE r.rolname = current_user`,
  );
  const role = rows[0];
  if (role === undefined) throw new Error('The database does not tell which role this is.');
  const why = role.superuser
    ? 'is a superuser'
    : role.bypass
      ? 'has BYPASSRLS'
      : role.owner
        ? 'owns the schema'
        : null;
  if (why !== null) {
    throw new Error(
      `The database role "${role.name}" ${why}, so row-level security would not bind it. Connect as tollgate_app, tollgate_worker, tollgate_deliverer or tollgate_relay.`,
    );
  }
}
