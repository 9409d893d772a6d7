-- How often a secret key may call, for each of an environment's keys.
ALTER TABLE tollgate.workspace_settings
  ADD COLUMN key_requests_per_second integer NOT NULL DEFAULT 5000
    CHECK (key_requests_per_second BETWEEN 1 AND 1000000),
  ADD COLUMN key_concurrent_requests integer NOT NULL DEFAULT 2000
    CHECK (key_concurrent_requests BETWEEN 1 AND 1000000);

-- They come with the key, so that a call asks for nothing more.
CREATE POLICY lookup ON tollgate.workspace_settings FOR SELECT TO tollgate_lookup USING (true);
GRANT SELECT (workspace_id, environment, key_requests_per_second, key_concurrent_requests)
  ON tollgate.workspace_settings TO tollgate_lookup;
DROP FUNCTION tollgate.find_api_key(bytea);
CREATE FUNCTION tollgate.find_api_key(hash bytea)
  RETURNS TABLE (
    workspace_id text, environment text, id text, expires_at timestamptz, revoked_at timestamptz, scopes text[],
    requests_per_second integer, concurrent_requests integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$
    SELECT k.workspace_id, k.environment, k.id, k.expires_at, k.revoked_at, k.scopes,
           s.key_requests_per_second, s.key_concurrent_requests
      FROM tollgate.api_keys k
      JOIN tollgate.workspace_settings s ON s.workspace_id = k.workspace_id AND s.environment = k.environment
     WHERE k.key_hash = hash
  $$;
ALTER FUNCTION tollgate.find_api_key(bytea) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.find_api_key(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.find_api_key(bytea) TO tollgate_app;
