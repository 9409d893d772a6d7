-- A webhook endpoint's secret that is rolled again while an earlier one still signs: each signs until its own time, as a
-- receiver may have any of them. The latest of those before is in previous_secret_envelope.
ALTER TABLE tollgate.webhook_endpoints
  -- Newest first: envelopes as in secret_envelope, each with its `until`. Real time.
  ADD COLUMN older_secrets jsonb NOT NULL DEFAULT '[]',
  -- The keys under which they are sealed, in their order.
  ADD COLUMN older_key_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
  -- Until when the last of them signs.
  ADD COLUMN older_secrets_until timestamptz,
  ADD CONSTRAINT webhook_endpoints_older_secrets_check CHECK (
    jsonb_array_length(older_secrets) = cardinality(older_key_ids)
    AND (older_secrets = '[]') = (older_secrets_until IS NULL));

GRANT SELECT (older_key_ids) ON tollgate.webhook_endpoints TO tollgate_lookup;
DROP FUNCTION tollgate.list_webhook_endpoint_keys(text, integer);
CREATE FUNCTION tollgate.list_webhook_endpoint_keys(after text, at_most integer)
  RETURNS TABLE (workspace_id text, environment text, id text, key_id text, previous_key_id text, older_key_ids text[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT e.workspace_id, e.environment::text, e.id, e.key_id, e.previous_key_id, e.older_key_ids
          FROM tollgate.webhook_endpoints e
         WHERE e.id > after ORDER BY e.id LIMIT at_most $$;
ALTER FUNCTION tollgate.list_webhook_endpoint_keys(text, integer) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.list_webhook_endpoint_keys(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.list_webhook_endpoint_keys(text, integer) TO tollgate_runtime;
