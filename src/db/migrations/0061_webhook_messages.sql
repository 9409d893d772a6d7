-- What a message says beside its resource, and how its messages are found by it.

-- The developer event that tells of the fact; null where none does. For some types it is what is sent.
ALTER TABLE tollgate.webhook_messages ADD COLUMN event_id text COLLATE "C";

-- The erasure finds a customer's messages by it, and no number is given twice.
CREATE UNIQUE INDEX webhook_messages_of_resource ON tollgate.webhook_messages
  (workspace_id, environment, resource_kind, resource_id, sequence);

-- Writes a message, in the transaction of its fact, with the resource's next number, and a delivery for each endpoint
-- that is enabled and takes its type. An endpoint that is being deleted is waited for, and left out: the foreign key of
-- its delivery would refuse the fact. `happened` is the workspace's time: null for that of `created`, which is real.
CREATE FUNCTION tollgate.announce(workspace text, env tollgate.environment_name, message text, message_type text,
    kind text, resource text, happened timestamptz, created timestamptz, event text DEFAULT NULL) RETURNS void
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
   AND (e.event_types IS NULL OR message_type = ANY (e.event_types))
   FOR KEY SHARE OF e
$$;
REVOKE ALL ON FUNCTION tollgate.announce(text, tollgate.environment_name, text, text, text, text, timestamptz, timestamptz, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.announce(text, tollgate.environment_name, text, text, text, text, timestamptz, timestamptz, text) TO tollgate_runtime;
