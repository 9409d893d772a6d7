-- What a key may do. NULL is a key that was made before keys had scopes: it keeps what it could do then.
ALTER TABLE tollgate.api_keys
  ADD COLUMN scopes text[],
  ADD COLUMN rolled_from text COLLATE "C",
  ADD CONSTRAINT api_keys_scopes_check CHECK (
    scopes <@ ARRAY['read', 'usage', 'customers', 'subscriptions', 'billing', 'events'] AND cardinality(scopes) > 0),
  ADD CONSTRAINT api_keys_rolled_from_fkey FOREIGN KEY (workspace_id, environment, rolled_from)
    REFERENCES tollgate.api_keys (workspace_id, environment, id);

DROP FUNCTION tollgate.find_api_key(bytea);
GRANT SELECT (scopes) ON tollgate.api_keys TO tollgate_lookup;
CREATE FUNCTION tollgate.find_api_key(hash bytea)
  RETURNS TABLE (
    workspace_id text, environment text, id text, expires_at timestamptz, revoked_at timestamptz, scopes text[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$
    SELECT k.workspace_id, k.environment, k.id, k.expires_at, k.revoked_at, k.scopes
      FROM tollgate.api_keys k WHERE k.key_hash = hash
  $$;
ALTER FUNCTION tollgate.find_api_key(bytea) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.find_api_key(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.find_api_key(bytea) TO tollgate_app;

-- The key behind an act.
ALTER TABLE tollgate.audit_records ADD COLUMN api_key_id text COLLATE "C";
ALTER TABLE tollgate.operations ADD COLUMN api_key_id text COLLATE "C";

-- Lists by the time of creation.
CREATE INDEX customers_created ON tollgate.customers (workspace_id, environment, created_at, id);

-- Origins that a checkout may return its customer to. Empty: any in a sandbox, none in production.
ALTER TABLE tollgate.workspace_settings ADD COLUMN return_origins text[] NOT NULL DEFAULT '{}';
