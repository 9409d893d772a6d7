import type { TestDatabase } from '../support/database';

/** Tables of an organization as a whole: their rows have no environment of their own. */
const ORGANIZATION_TABLES = [
  'organizations',
  'organization_members',
  'member_invitations',
  'member_reset_links',
  'audit_records',
  'sandbox_secret_fingerprints',
];
/** Tables of the platform, which are read before any workspace is known. */
const PLATFORM_TABLES = [
  'operators',
  'operator_sessions',
  'login_throttle',
  'operator_devices',
  'operator_second_factors',
  'operator_recovery_codes',
  'operator_login_challenges',
  'platform_audit',
  'key_checks',
  'key_ring_runtimes',
  'key_ring_state',
  'credential_migrations',
];

/** Functions allowed to run with rights other than their caller's, and the role whose rights they have. */
const DEFINER_FUNCTIONS = [
  'tollgate.count_platform_audit(text,text,text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,bigint) as tollgate_owner',
  'tollgate.count_second_factors() as tollgate_lookup',
  'tollgate.enqueue(text,json,text) as tollgate_outbox',
  'tollgate.enqueue_each(text,json[],text[],timestamp with time zone[]) as tollgate_outbox',
  'tollgate.find_api_key(bytea) as tollgate_lookup',
  'tollgate.find_connection(text,text,text) as tollgate_lookup',
  'tollgate.find_connection_candidates(text,text,integer) as tollgate_lookup',
  'tollgate.find_connections_of_references(text,text,text[],text[],integer) as tollgate_lookup',
  'tollgate.find_named_connections(text[],text[],text[]) as tollgate_lookup',
  'tollgate.find_referred_connections(text,text,integer[],text[],text[],integer,integer) as tollgate_lookup',
  'tollgate.find_account_connections(text,text,text[],integer,integer) as tollgate_lookup',
  'tollgate.find_verifying_connections(text,text,integer,integer) as tollgate_lookup',
  'tollgate.find_customer_events(text,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,integer) as tollgate_lookup',
  'tollgate.find_customers(text,timestamp with time zone,timestamp with time zone,text,integer) as tollgate_lookup',
  'tollgate.find_due_webhook_endpoints(timestamp with time zone,text,integer) as tollgate_lookup',
  'tollgate.find_invitation(bytea) as tollgate_lookup',
  'tollgate.find_memberships(text) as tollgate_lookup',
  'tollgate.find_memberships_of(text) as tollgate_lookup',
  'tollgate.find_open_operations(timestamp with time zone,integer) as tollgate_lookup',
  'tollgate.find_open_webhook_resends(integer) as tollgate_lookup',
  'tollgate.find_overdue_checkouts(timestamp with time zone,integer) as tollgate_lookup',
  'tollgate.find_overdue_checkouts(timestamp with time zone,integer,text) as tollgate_lookup',
  'tollgate.find_overdue_erasures(timestamp with time zone,integer,text) as tollgate_lookup',
  'tollgate.find_overdue_refunds(timestamp with time zone,integer) as tollgate_lookup',
  'tollgate.find_overdue_refunds(timestamp with time zone,integer,text) as tollgate_lookup',
  'tollgate.find_overdue_subscriptions(timestamp with time zone,integer) as tollgate_lookup',
  'tollgate.find_overdue_subscriptions(timestamp with time zone,integer,text) as tollgate_lookup',
  'tollgate.find_reset_link(bytea) as tollgate_lookup',
  'tollgate.find_portal_link(bytea,text) as tollgate_lookup',
  'tollgate.find_portal_session(bytea,text) as tollgate_lookup',
  'tollgate.find_unsent_operations(timestamp with time zone,integer) as tollgate_lookup',
  'tollgate.find_usage_to_roll_up() as tollgate_lookup',
  'tollgate.has_sending_job(text) as tollgate_outbox',
  'tollgate.keep_sending(json,text) as tollgate_outbox',
  'tollgate.list_connections(text,integer) as tollgate_lookup',
  'tollgate.list_sending_jobs() as tollgate_outbox',
  'tollgate.list_webhook_endpoint_keys(text,integer) as tollgate_lookup',
  'tollgate.list_workspaces() as tollgate_lookup',
  'tollgate.measure_backlog(timestamp with time zone,integer) as tollgate_lookup',
  'tollgate.measure_outbox(timestamp with time zone,integer) as tollgate_outbox',
  'tollgate.count_failing_jobs(integer) as tollgate_outbox',
  'tollgate.measure_webhook_deliveries(timestamp with time zone,integer) as tollgate_lookup',
  'tollgate.operation_has_ended(text,text,text) as tollgate_lookup',
  'tollgate.operation_has_started(text,text,text) as tollgate_lookup',
];

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** Columns that every key of a table must begin with; NULL for the platform's tables, which need none. */
const TENANT_COLUMNS = `CASE WHEN tenant_table.relname IN (${quoted(PLATFORM_TABLES)}) THEN NULL
  WHEN tenant_table.relname IN (${quoted(ORGANIZATION_TABLES)}) THEN ARRAY['workspace_id']
  ELSE ARRAY['workspace_id', 'environment'] END`;

const TABLES = `pg_class tenant_table JOIN pg_namespace n ON n.oid = tenant_table.relnamespace
  AND n.nspname = 'tollgate' AND tenant_table.relkind IN ('r', 'p')`;

const columnNames = (table: string, numbers: string): string =>
  `(ARRAY(SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY AS k (attnum, place)
          JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.attnum ORDER BY k.place))`;

/** Each query returns the violations of a rule, one text per row. Together they test the second wall itself. */
const rules: Record<string, string> = {
  'a table without forced row-level security': `
    SELECT tenant_table.relname::text AS found FROM ${TABLES}
     WHERE NOT (tenant_table.relrowsecurity AND tenant_table.relforcerowsecurity)`,
  'a view that runs with its owner’s rights': `
    SELECT c.relname::text AS found FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'tollgate'
     WHERE c.relkind = 'm' OR (c.relkind = 'v' AND NOT COALESCE(c.reloptions @> ARRAY['security_invoker=true'], false))`,
  'a primary key or unique index that does not begin with the tenant': `
    SELECT x.indexrelid::regclass::text AS found
      FROM ${TABLES} JOIN pg_index x ON x.indrelid = tenant_table.oid AND x.indisunique
     WHERE ${columnNames('tenant_table.oid', 'x.indkey::int2[]')}[1:cardinality(${TENANT_COLUMNS})] <> ${TENANT_COLUMNS}
       -- An organization’s slug is unique over the whole installation.
       AND x.indexrelid::regclass::text <> 'tollgate.organizations_slug_key'`,
  'a foreign key between tenants’ tables that does not begin with the tenant on both sides': `
    SELECT format('%s on %s', k.conname, tenant_table.relname) AS found
      FROM ${TABLES} JOIN pg_constraint k ON k.conrelid = tenant_table.oid AND k.contype = 'f'
      JOIN pg_class target ON target.oid = k.confrelid
     WHERE target.relname NOT IN (${quoted(PLATFORM_TABLES)})
       AND NOT (target.relname = 'organizations' AND ${columnNames('tenant_table.oid', 'k.conkey')} = ARRAY['workspace_id'])
       AND (${columnNames('tenant_table.oid', 'k.conkey')}[1:2] <> ARRAY['workspace_id', 'environment']
         OR ${columnNames('target.oid', 'k.confkey')}[1:2] <> ARRAY['workspace_id', 'environment'])`,
  'a policy that lacks USING or WITH CHECK': `
    SELECT format('%s on %s', policyname, tablename) AS found FROM pg_policies
     WHERE schemaname = 'tollgate' AND CASE cmd
       WHEN 'SELECT' THEN qual IS NULL WHEN 'DELETE' THEN qual IS NULL WHEN 'INSERT' THEN with_check IS NULL
       ELSE qual IS NULL OR with_check IS NULL END`,
  'a policy that does not name the tenant': `
    SELECT format('%s on %s', policyname, tablename) AS found FROM pg_policies
     WHERE schemaname = 'tollgate' AND roles <> '{tollgate_lookup}' AND tablename NOT IN (${quoted(PLATFORM_TABLES)})
       AND (qual NOT LIKE '%workspace_id()%' OR with_check NOT LIKE '%workspace_id()%'
         OR tablename NOT IN (${quoted(ORGANIZATION_TABLES)})
            AND (qual NOT LIKE '%environment()%' OR with_check NOT LIKE '%environment()%'))`,
  'a lookup policy that does more than read': `
    SELECT format('%s on %s', policyname, tablename) AS found FROM pg_policies
     WHERE schemaname = 'tollgate' AND 'tollgate_lookup' = ANY (roles) AND (cmd <> 'SELECT' OR roles <> '{tollgate_lookup}')`,
  'a grant of TRUNCATE, REFERENCES, TRIGGER or MAINTAIN, or to everybody': `
    SELECT format('%s on %s to %s', a.privilege_type, c.relname, a.grantee::regrole) AS found
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'tollgate'
     CROSS JOIN LATERAL aclexplode(c.relacl) a
     WHERE a.grantee <> c.relowner AND (a.grantee = 0 OR a.privilege_type IN ('TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN'))`,
  'a function with other rights than its caller’s that is not on the list': `
    SELECT format('%s as %s', p.oid::regprocedure, pg_get_userbyid(p.proowner)) AS found
      FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace AND n.nspname = 'tollgate'
     WHERE p.prosecdef
       AND (format('%s as %s', p.oid::regprocedure, pg_get_userbyid(p.proowner)) NOT IN (${quoted(DEFINER_FUNCTIONS)})
         OR p.proconfig IS NULL OR NOT p.proconfig @> ARRAY['search_path=pg_catalog']
         OR EXISTS (SELECT FROM aclexplode(COALESCE(p.proacl, acldefault('f', p.proowner))) a WHERE a.grantee = 0))`,
  'a table that the running service owns, or a role that escapes the walls': `
    SELECT rolname::text AS found FROM pg_roles
     WHERE rolname LIKE 'tollgate%' AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)
    UNION ALL
    SELECT tenant_table.relname FROM ${TABLES} WHERE pg_get_userbyid(tenant_table.relowner) <> 'tollgate_owner'`,
};

/**
 * Returns the violations of the tenancy rules in the database catalogue, as `rule: object`; empty if there are none.
 */
export async function lintCatalogue(database: TestDatabase): Promise<string[]> {
  const findings: string[] = [];
  for (const [rule, query] of Object.entries(rules)) {
    const rows = await database.query<{ found: string }>(query);
    findings.push(...rows.map(({ found }) => `${rule}: ${found}`));
  }
  return findings;
}
