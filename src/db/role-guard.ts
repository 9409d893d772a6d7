import type { LoginRole } from './migrate';
import { asOwner } from './owner-session';
import type { Database } from './pools';
import { hasSqlState } from './sql-state';

interface RoleFacts {
  name: string;
  superuser: boolean;
  bypass: boolean;
  owner: boolean;
  wanted: boolean;
}

/**
 * Refuses a database role to which row-level security would not apply: a superuser, a role with BYPASSRLS, or one that
 * owns (or may act as the owner of) the schema. Refuses the role of another process too, because it lacks rights that
 * this one needs only later.
 *
 * @param wanted the role of this process; a role that inherits its rights is as good
 * @throws Error that names the role and the fix
 */
export async function refuseWrongRole(database: Database, wanted: LoginRole): Promise<void> {
  const { rows } = await database.raw<{ rows: RoleFacts[] }>(
    `SELECT current_user AS name, r.rolsuper AS superuser, r.rolbypassrls AS bypass,
            EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE n.nspname = 'tollgate' AND pg_has_role(current_user, c.relowner, 'MEMBER')) AS owner,
            EXISTS (SELECT FROM pg_roles w
                    WHERE w.rolname = ? AND pg_has_role(current_user, w.oid, 'USAGE')) AS wanted
     FROM pg_roles r WHERE r.rolname = current_user`,
    [wanted],
  );
  const role = rows[0];
  if (role === undefined) throw new Error('The database does not tell which role this is.');
  const why = reasonToRefuse(role);
  if (why !== null) {
    throw new Error(
      `The database role "${role.name}" ${why}. Connect as ${wanted}: correct the address of the database (TOLLGATE_DATABASE_…).`,
    );
  }
}

/**
 * Refuses a migrator's address whose role may not act as the owners, which maintenance would notice only in its rounds.
 *
 * @throws Error that names the setting, or that of the connection
 */
export async function refuseWrongMigrator(migratorUrl: string): Promise<void> {
  for (const role of ['tollgate_owner', 'tollgate_outbox'] as const) {
    try {
      await asOwner(migratorUrl, { role }, () => Promise.resolve());
    } catch (error) {
      if (!(error instanceof Error) || !hasSqlState(error, 'insufficient_privilege')) throw error;
      throw new Error(
        `${error.message}. Connect as tollgate_migrator: correct TOLLGATE_DATABASE_MIGRATOR_URL.`,
        {
          cause: error,
        },
      );
    }
  }
}

function reasonToRefuse(role: RoleFacts): string | null {
  const privilege = privilegeOf(role);
  if (privilege !== null) return `${privilege}, so row-level security would not bind it`;
  return role.wanted ? null : 'lacks rights that this process needs';
}

function privilegeOf({ superuser, bypass, owner }: RoleFacts): string | null {
  if (superuser) return 'is a superuser';
  if (bypass) return 'has BYPASSRLS';
  return owner ? 'owns the schema' : null;
}
