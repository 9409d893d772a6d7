-- The customer's page: links that open once, and the sessions that they become.

CREATE TABLE tollgate.portal_sessions (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  -- The key that asked for the link. Once it is revoked, neither the link nor its session opens anything.
  api_key_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the token in the link's fragment; the token itself is kept nowhere.
  link_hash bytea NOT NULL,
  -- Where the page leads back to.
  return_url text,
  -- Real time, as all times here.
  created_at timestamptz NOT NULL,
  link_expires_at timestamptz NOT NULL,
  -- What the link became, at once and once.
  opened_at timestamptz,
  session_hash bytea,
  last_seen_at timestamptz,
  expires_at timestamptz,
  -- Signed out, or ended by the application or an operator.
  ended_at timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, api_key_id) REFERENCES tollgate.api_keys (workspace_id, environment, id),
  CHECK (num_nonnulls(opened_at, session_hash, last_seen_at, expires_at) IN (0, 4))
);
-- Not unique: a unique index would have to begin with the tenant, which is not known yet. Tokens have 256 random bits.
CREATE INDEX portal_sessions_link ON tollgate.portal_sessions (link_hash);
CREATE INDEX portal_sessions_session ON tollgate.portal_sessions (session_hash) WHERE session_hash IS NOT NULL;
CREATE INDEX portal_sessions_customer ON tollgate.portal_sessions (workspace_id, environment, customer_id);
CREATE INDEX portal_sessions_created ON tollgate.portal_sessions (workspace_id, environment, created_at);
CALL tollgate.protect_tenant_table('tollgate.portal_sessions', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');

-- Which tenant a token belongs to; whether it opens anything is asked there.
CREATE POLICY lookup ON tollgate.portal_sessions FOR SELECT TO tollgate_lookup USING (true);
GRANT SELECT (workspace_id, environment, id, link_hash, session_hash) ON tollgate.portal_sessions TO tollgate_lookup;
CREATE FUNCTION tollgate.find_portal_link(hash bytea, of_environment text)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT s.workspace_id, s.environment, s.id FROM tollgate.portal_sessions s
         WHERE s.link_hash = hash AND s.environment = of_environment $$;
CREATE FUNCTION tollgate.find_portal_session(hash bytea, of_environment text)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT s.workspace_id, s.environment, s.id FROM tollgate.portal_sessions s
         WHERE s.session_hash = hash AND s.environment = of_environment $$;
DO $$
DECLARE
  lookup regprocedure;
BEGIN
  FOREACH lookup IN ARRAY ARRAY[
    'tollgate.find_portal_link(bytea, text)', 'tollgate.find_portal_session(bytea, text)']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO tollgate_lookup', lookup);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_app', lookup);
  END LOOP;
END
$$;

-- How the page looks and what it shows, each environment for itself. Not among the settings: those are read by each
-- check and track, and a logo has kilobytes. Without a row the defaults of src/portal hold.
CREATE TABLE tollgate.portal_settings (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  shows text[] NOT NULL,
  -- Slugs of the plans that a customer may change to; null: each that is for sale.
  plans text[],
  name text,
  colour text NOT NULL CHECK (colour ~ '^#[0-9a-f]{6}$'),
  logo bytea CHECK (octet_length(logo) <= 32768),
  logo_type text CHECK (logo_type IN ('image/png', 'image/jpeg', 'image/webp')),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment),
  FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations (workspace_id),
  CHECK ((logo IS NULL) = (logo_type IS NULL))
);
CALL tollgate.protect_tenant_table('tollgate.portal_settings', 'SELECT', 'INSERT', 'UPDATE');

-- What customers do themselves. NOT VALID: what is there was checked by a narrower condition.
ALTER TABLE tollgate.audit_records DROP CONSTRAINT audit_records_reason_check,
  ADD CONSTRAINT audit_records_reason_check CHECK (reason IN ('API_KEY', 'OPERATOR', 'SYSTEM', 'CUSTOMER')) NOT VALID;
ALTER TABLE tollgate.operations DROP CONSTRAINT operations_reason_check,
  ADD CONSTRAINT operations_reason_check CHECK (reason IN ('API_KEY', 'OPERATOR', 'SYSTEM', 'CUSTOMER')) NOT VALID;
