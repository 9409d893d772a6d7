import type { TestDatabase } from '../support/database';

/** Partitions that the maintenance command creates, a new one each day, without rights of their own. */
const DAILY_PARTITION = String.raw`^developer_events_\d{8}$`;
const SCHEMAS = "('tollgate', 'graphile_worker', 'tollgate_migrations', 'public')";

/**
 * Every right of a role in this database, one per line, read from the catalogue: its own rights, those of the roles it
 * is a member of, and those of PUBLIC.
 */
const RIGHTS = `
SELECT 'member of ' || string_agg(m.roleid::regrole::text, ', ' ORDER BY m.roleid::regrole::text) AS line
  FROM pg_auth_members m WHERE m.member = $1::regrole HAVING count(*) > 0
UNION ALL
SELECT format('%s database', p) FROM unnest(ARRAY['CREATE', 'TEMPORARY']) p
 WHERE has_database_privilege($1, current_database(), p)
UNION ALL
SELECT format('%s schema %I', string_agg(p, ', ' ORDER BY p), n.nspname)
  FROM pg_namespace n, unnest(ARRAY['CREATE', 'USAGE']) p
 WHERE n.nspname IN ${SCHEMAS} AND has_schema_privilege($1, n.oid, p) GROUP BY n.nspname
UNION ALL
SELECT format('owner of %s', c.oid::regclass) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname IN ${SCHEMAS} AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND pg_has_role($1, c.relowner, 'MEMBER')
UNION ALL
SELECT format('%s table %s', string_agg(p, ', ' ORDER BY p), c.oid::regclass)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
       unnest(ARRAY['DELETE', 'INSERT', 'REFERENCES', 'SELECT', 'TRIGGER', 'TRUNCATE', 'UPDATE']) p
 WHERE n.nspname IN ${SCHEMAS} AND c.relkind IN ('r', 'p', 'v', 'm') AND c.relname !~ '${DAILY_PARTITION}'
   AND has_table_privilege($1, c.oid, p) GROUP BY c.oid
UNION ALL
SELECT format('%s (%s) table %s', p, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname COLLATE "C"), c.oid::regclass)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped,
       unnest(ARRAY['INSERT', 'REFERENCES', 'SELECT', 'UPDATE']) p
 WHERE n.nspname IN ${SCHEMAS} AND c.relkind IN ('r', 'p', 'v', 'm') AND c.relname !~ '${DAILY_PARTITION}'
   AND has_column_privilege($1, c.oid, a.attnum, p) AND NOT has_table_privilege($1, c.oid, p) GROUP BY p, c.oid
UNION ALL
SELECT format('%s sequence %s', string_agg(p, ', ' ORDER BY p), c.oid::regclass)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, unnest(ARRAY['SELECT', 'UPDATE', 'USAGE']) p
 WHERE n.nspname IN ${SCHEMAS} AND c.relkind = 'S' AND has_sequence_privilege($1, c.oid, p) GROUP BY c.oid
UNION ALL
SELECT format('EXECUTE %s%s', f.oid::regprocedure, CASE WHEN f.prosecdef THEN ' as ' || f.proowner::regrole END)
  FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace
 WHERE n.nspname IN ${SCHEMAS} AND has_function_privilege($1, f.oid, 'EXECUTE')
UNION ALL
SELECT format('by default %s on new objects of %s', a.privilege_type, d.defaclrole::regrole)
  FROM pg_default_acl d, aclexplode(d.defaclacl) a
 WHERE a.grantee = 0 OR pg_has_role($1, a.grantee, 'USAGE')`;

/** @returns a role's rights, one per line, in a fixed order */
export async function rightsOf(database: TestDatabase, role: string): Promise<string[]> {
  const rows = await database.query<{ line: string }>(RIGHTS, [role]);
  return rows.map(({ line }) => line).sort();
}
