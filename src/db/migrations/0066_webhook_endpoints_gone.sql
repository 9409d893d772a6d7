-- As before, but an endpoint that is being deleted is waited for, and left out: the foreign key of its delivery would
-- have refused the fact.
CREATE OR REPLACE FUNCTION tollgate.announce(workspace text, env tollgate.environment_name, message text, message_type text,
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

-- As before, but a page on which nothing is due says where the next one begins, too: in a row without an endpoint. Its
-- endpoints all wait for a later attempt, and those after them would never be looked at.
DROP FUNCTION tollgate.find_due_webhook_endpoints(timestamptz, text, integer);
CREATE FUNCTION tollgate.find_due_webhook_endpoints(at timestamptz, after text, at_most integer)
  RETURNS TABLE (workspace_id text, environment text, endpoint_id text, disabled boolean, failing boolean, scanned_to text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$
WITH RECURSIVE waiting AS (
  (SELECT d.workspace_id, d.environment, d.endpoint_id, d.next_attempt_at, 1 AS place
     FROM tollgate.webhook_deliveries d
    WHERE d.status = 'pending' AND d.endpoint_id > after
    ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1)
  UNION ALL
  SELECT n.workspace_id, n.environment, n.endpoint_id, n.next_attempt_at, w.place + 1
    FROM waiting w CROSS JOIN LATERAL (
      SELECT d.workspace_id, d.environment, d.endpoint_id, d.next_attempt_at
        FROM tollgate.webhook_deliveries d
       WHERE d.status = 'pending' AND d.endpoint_id > w.endpoint_id
       ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1) n
   WHERE w.place < at_most
), scanned AS (
  SELECT CASE WHEN count(*) < at_most THEN NULL ELSE max(v.endpoint_id) END AS upto FROM waiting v
), due AS (
  SELECT w.workspace_id, w.environment::text, w.endpoint_id, e.disabled_at IS NOT NULL AS disabled,
         e.failing_since IS NOT NULL AS failing
    FROM waiting w
    JOIN tollgate.webhook_endpoints e
      ON e.workspace_id = w.workspace_id AND e.environment = w.environment AND e.id = w.endpoint_id
   WHERE w.next_attempt_at <= at OR e.disabled_at IS NOT NULL
)
SELECT d.workspace_id, d.environment, d.endpoint_id, d.disabled, d.failing, s.upto
  FROM scanned s LEFT JOIN due d ON true
 WHERE d.endpoint_id IS NOT NULL OR s.upto IS NOT NULL
 ORDER BY d.endpoint_id
$$;
ALTER FUNCTION tollgate.find_due_webhook_endpoints(timestamptz, text, integer) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.find_due_webhook_endpoints(timestamptz, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.find_due_webhook_endpoints(timestamptz, text, integer) TO tollgate_deliverer;
