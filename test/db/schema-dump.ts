import { Client } from 'pg';

/** Daily partitions, created by the maintenance command: not part of the schema. */
const DAILY_PARTITION = String.raw`^developer_events_\d{8}$`;

interface Section {
  title: string;
  /** Returns rows of one column, `text`, in a fixed order. */
  query: string;
}

/** The relations of the schema; a further condition follows. @param joins what else the query reads of each */
function relations(joins = ''): string {
  return `pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace ${joins}
  WHERE n.nspname = 'tollgate' AND c.relname !~ '${DAILY_PARTITION}'`;
}

/** The lines of a table's definition: `columns` and `constraints`. */
const TABLE_LINES = `
       CROSS JOIN LATERAL (
         SELECT string_agg(format('  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                  CASE WHEN a.attcollation <> t.typcollation THEN format(' COLLATE %I', o.collname) END,
                  CASE WHEN a.attnotnull THEN ' NOT NULL' END,
                  CASE WHEN a.atthasdef THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) END), E',\\n' ORDER BY a.attnum) AS lines
           FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
           LEFT JOIN pg_collation o ON o.oid = a.attcollation
           LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
       CROSS JOIN LATERAL (
         SELECT string_agg(format('  CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), E',\\n' ORDER BY k.contype, k.conname COLLATE "C") AS lines
           FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype <> 'n') AS constraints`;

const sections: Section[] = [
  {
    title: 'Schema',
    query: `SELECT format('CREATE SCHEMA %I AUTHORIZATION %I;', nspname, pg_get_userbyid(nspowner)) AS text
              FROM pg_namespace WHERE nspname = 'tollgate'`,
  },
  {
    title: 'Domains',
    query: `SELECT format('CREATE DOMAIN tollgate.%I AS %s%s;', t.typname, format_type(t.typbasetype, t.typtypmod),
                     (SELECT string_agg(' ' || pg_get_constraintdef(k.oid), '' ORDER BY k.conname COLLATE "C")
                        FROM pg_constraint k WHERE k.contypid = t.oid)) AS text
              FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
             WHERE n.nspname = 'tollgate' AND t.typtype = 'd' ORDER BY t.typname COLLATE "C"`,
  },
  {
    title: 'Sequences',
    query: `SELECT format('CREATE SEQUENCE tollgate.%I AS %s CACHE %s; -- owner %s', c.relname, format_type(s.seqtypid, NULL),
                     s.seqcache, pg_get_userbyid(c.relowner)) AS text
              FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = 'tollgate' ORDER BY c.relname COLLATE "C"`,
  },
  {
    title: 'Tables',
    query: `SELECT format(E'CREATE TABLE tollgate.%I (\\n%s\\n)%s%s; -- owner %s, row-level security %s', c.relname,
                     concat_ws(E',\\n', columns.lines, constraints.lines),
                     CASE WHEN c.relkind = 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(c.oid) END,
                     CASE WHEN c.reloptions IS NOT NULL THEN format(' WITH (%s)', array_to_string(c.reloptions, ', ')) END,
                     pg_get_userbyid(c.relowner),
                     CASE WHEN c.relforcerowsecurity THEN 'forced' WHEN c.relrowsecurity THEN 'enabled' ELSE 'off' END) AS text
              FROM ${relations(TABLE_LINES)} AND c.relkind IN ('r', 'p') AND NOT c.relispartition
             ORDER BY c.relname COLLATE "C"`,
  },
  {
    title: 'Partitions (without the daily ones)',
    query: `SELECT format('CREATE TABLE tollgate.%I PARTITION OF %s %s; -- row-level security %s', c.relname,
                     (SELECT i.inhparent::regclass FROM pg_inherits i WHERE i.inhrelid = c.oid), pg_get_expr(c.relpartbound, c.oid),
                     CASE WHEN c.relforcerowsecurity THEN 'forced' WHEN c.relrowsecurity THEN 'enabled' ELSE 'off' END) AS text
              FROM ${relations()} AND c.relkind IN ('r', 'p') AND c.relispartition ORDER BY c.relname COLLATE "C"`,
  },
  {
    title: 'Views',
    query: `SELECT format(E'CREATE VIEW tollgate.%I%s AS\\n%s', c.relname,
                     CASE WHEN c.reloptions IS NOT NULL THEN format(' WITH (%s)', array_to_string(c.reloptions, ', ')) END,
                     pg_get_viewdef(c.oid)) AS text
              FROM ${relations()} AND c.relkind IN ('v', 'm') ORDER BY c.relname COLLATE "C"`,
  },
  {
    title: 'Indexes that no constraint made',
    query: `SELECT pg_get_indexdef(c.oid) || ';' AS text
              FROM ${relations()} AND c.relkind IN ('i', 'I') AND NOT c.relispartition
               AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid AND k.contype IN ('p', 'u', 'x'))
             ORDER BY c.relname COLLATE "C"`,
  },
  {
    title: 'Policies',
    query: `SELECT format('CREATE POLICY %I ON tollgate.%I%s FOR %s TO %s%s%s;', policyname, tablename,
                    CASE permissive WHEN 'RESTRICTIVE' THEN ' AS RESTRICTIVE' END, cmd, array_to_string(roles, ', '),
                     E'\\n  USING (' || qual || ')', E'\\n  WITH CHECK (' || with_check || ')') AS text
              FROM pg_policies WHERE schemaname = 'tollgate' ORDER BY tablename COLLATE "C", policyname COLLATE "C"`,
  },
  {
    title: 'Functions and procedures',
    query: `SELECT format(E'%s; -- owner %s', rtrim(pg_get_functiondef(p.oid), E'\\n'), pg_get_userbyid(p.proowner)) AS text
              FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
             WHERE n.nspname = 'tollgate' ORDER BY p.oid::regprocedure::text COLLATE "C"`,
  },
  {
    title: 'Triggers',
    query: `SELECT pg_get_triggerdef(t.oid) || ';' AS text
              FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = 'tollgate' AND NOT t.tgisinternal AND c.relname !~ '${DAILY_PARTITION}'
             ORDER BY c.relname COLLATE "C", t.tgname COLLATE "C"`,
  },
  {
    title: 'Grants (an owner’s own are left out)',
    query: `SELECT format('GRANT %s ON %s TO %s;', string_agg(privilege, ', ' ORDER BY privilege), object, grantee) AS text
              FROM (
                SELECT a.privilege_type AS privilege, 'SCHEMA tollgate' AS object, a.grantee::regrole::text AS grantee
                  FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a
                 WHERE n.nspname = 'tollgate' AND a.grantee <> n.nspowner AND a.grantee <> 0
                UNION ALL
                SELECT a.privilege_type, CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || c.oid::regclass,
                       CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
                  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN LATERAL aclexplode(c.relacl) a
                 WHERE n.nspname = 'tollgate' AND a.grantee <> c.relowner AND c.relname !~ '${DAILY_PARTITION}'
                UNION ALL
                SELECT format('%s (%I)', a.privilege_type, t.attname), 'TABLE ' || c.oid::regclass,
                       CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
                  FROM pg_attribute t JOIN pg_class c ON c.oid = t.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
                 CROSS JOIN LATERAL aclexplode(t.attacl) a WHERE n.nspname = 'tollgate'
                UNION ALL
                SELECT a.privilege_type, 'ROUTINE ' || p.oid::regprocedure,
                       CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
                  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                 CROSS JOIN LATERAL aclexplode(COALESCE(p.proacl, acldefault('f', p.proowner))) a
                 WHERE n.nspname = 'tollgate' AND a.grantee <> p.proowner
              ) AS granted GROUP BY object, grantee ORDER BY object COLLATE "C", grantee COLLATE "C"`,
  },
];

/**
 * Returns the schema as text: the result of all migrations, for reading and for reviewing changes. The same migrations
 * give the same text on any day.
 *
 * @param url address of any role that may connect; the catalogue is readable by all
 */
export async function dumpSchema(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Makes names outside pg_catalog print with their schema.
    await client.query('SET search_path = pg_catalog');
    const parts = [
      '-- The schema that src/db/migrations makes, read back from the database. Written by the schema test; not run.',
    ];
    for (const { title, query } of sections) {
      const { rows } = await client.query<{ text: string }>(query);
      if (rows.length > 0) parts.push(`-- ${title}`, ...rows.map((row) => row.text));
    }
    return `${parts.join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}
