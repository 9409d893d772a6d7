-- The schema, and the context that row-level security reads.
--
-- A workspace transaction sets tollgate.workspace_id, tollgate.environment and tollgate.reason for its own
-- duration (src/db/workspace-transaction.ts). After it the settings read '' rather than NULL, hence NULLIF:
-- an unset context matches no row.
CREATE SCHEMA tollgate AUTHORIZATION tollgate_owner;
GRANT USAGE ON SCHEMA tollgate TO tollgate_runtime, tollgate_lookup, tollgate_relay;
GRANT CREATE ON SCHEMA tollgate TO tollgate_lookup, tollgate_outbox;

CREATE FUNCTION tollgate.workspace_id() RETURNS text LANGUAGE sql STABLE
  AS $$ SELECT NULLIF(current_setting('tollgate.workspace_id', true), '') $$;
CREATE FUNCTION tollgate.environment() RETURNS text LANGUAGE sql STABLE
  AS $$ SELECT NULLIF(current_setting('tollgate.environment', true), '') $$;

CREATE DOMAIN tollgate.environment_name AS text CHECK (VALUE IN ('sandbox', 'production'));
CREATE DOMAIN tollgate.currency_code AS text CHECK (VALUE ~ '^[A-Z]{3}$');

-- Gives a tenant table its wall: forced row-level security on (workspace_id, environment), and DML (never
-- TRUNCATE) for the running service. Called by the migrations, so that no table can get half of it.
CREATE PROCEDURE tollgate.protect_tenant_table(target regclass, VARIADIC privileges text[] DEFAULT ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'])
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY tenant ON %s TO tollgate_runtime
       USING (workspace_id = (SELECT tollgate.workspace_id()) AND environment = (SELECT tollgate.environment()))
       WITH CHECK (workspace_id = (SELECT tollgate.workspace_id()) AND environment = (SELECT tollgate.environment()))',
    target);
  EXECUTE format('GRANT %s ON %s TO tollgate_runtime', array_to_string(privileges, ', '), target);
END
$$;

-- The same for tables of an organization as a whole, which have no environment.
CREATE PROCEDURE tollgate.protect_organization_table(target regclass, VARIADIC privileges text[] DEFAULT ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'])
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY organization ON %s TO tollgate_runtime
       USING (workspace_id = (SELECT tollgate.workspace_id()))
       WITH CHECK (workspace_id = (SELECT tollgate.workspace_id()))',
    target);
  EXECUTE format('GRANT %s ON %s TO tollgate_runtime', array_to_string(privileges, ', '), target);
END
$$;

REVOKE ALL ON PROCEDURE tollgate.protect_tenant_table(regclass, text[]), tollgate.protect_organization_table(regclass, text[]) FROM PUBLIC;
