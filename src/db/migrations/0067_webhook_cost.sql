-- What a message costs Postgres, from its fact to its last attempt.

-- A message is written without its text, which is several times as long: with room for it in the page, the text changes
-- no index. Pages of before fill up as they were.
ALTER TABLE tollgate.webhook_messages SET (fillfactor = 20);

-- Attempts are read by their message alone.
DROP INDEX tollgate.webhook_attempts_newest;

-- As before, and for one endpoint alone where `only_to` names it: then whatever types it takes.
DROP FUNCTION tollgate.announce(text, tollgate.environment_name, text, text, text, text, timestamptz, timestamptz, text);
CREATE FUNCTION tollgate.announce(workspace text, env tollgate.environment_name, message text, message_type text,
    kind text, resource text, happened timestamptz, created timestamptz, event text DEFAULT NULL, only_to text DEFAULT NULL)
  RETURNS void
  LANGUAGE sql SET search_path = pg_catalog
  AS $$
WITH numbered AS (
  INSERT INTO tollgate.webhook_sequences AS s (workspace_id, environment, resource_kind, resource_id, last)
  VALUES (workspace, env, kind, resource, 1)
  ON CONFLICT (workspace_id, environment, resource_kind, resource_id) DO UPDATE SET last = s.last + 1
  RETURNING last
), written AS (
  INSERT INTO tollgate.webhook_messages
    (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at, created_at, event_id)
  SELECT workspace, env, message, message_type, kind, resource, last,
         coalesce(happened, created + coalesce(
           (SELECT offset_ms * interval '1 millisecond' FROM tollgate.sandbox_clocks c
             WHERE c.workspace_id = workspace AND c.environment = env), interval '0')),
         created, event
    FROM numbered
  RETURNING id
)
INSERT INTO tollgate.webhook_deliveries
  (workspace_id, environment, endpoint_id, message_id, next_attempt_at, created_at)
SELECT workspace, env, e.id, w.id, created, created
  FROM tollgate.webhook_endpoints e CROSS JOIN written w
 WHERE e.workspace_id = workspace AND e.environment = env AND e.disabled_at IS NULL
   AND CASE WHEN only_to IS NULL THEN e.event_types IS NULL OR message_type = ANY (e.event_types) ELSE e.id = only_to END
   FOR KEY SHARE OF e
$$;
REVOKE ALL ON FUNCTION tollgate.announce(text, tollgate.environment_name, text, text, text, text, timestamptz, timestamptz, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.announce(text, tollgate.environment_name, text, text, text, text, timestamptz, timestamptz, text, text) TO tollgate_runtime;
