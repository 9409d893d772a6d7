-- What the delivery of outgoing webhooks needs beside their tables: who does it, which secrets are under which key, what
-- is sent again, and what `maintain` deletes.

-- An endpoint that answers 410 wants no more.
ALTER TABLE tollgate.webhook_endpoints DROP CONSTRAINT webhook_endpoints_disabled_reason_check;
ALTER TABLE tollgate.webhook_endpoints ADD CONSTRAINT webhook_endpoints_disabled_reason_check
  CHECK (disabled_reason IN ('operator', 'failing', 'gone'));

-- The keys under which its secrets are sealed; an envelope is {"keyId", "revision", "sealed"}.
ALTER TABLE tollgate.webhook_endpoints
  ADD COLUMN key_id text COLLATE "C" GENERATED ALWAYS AS (secret_envelope ->> 'keyId') STORED,
  ADD COLUMN previous_key_id text COLLATE "C" GENERATED ALWAYS AS (previous_secret_envelope ->> 'keyId') STORED,
  ADD COLUMN secret_last_four text NOT NULL DEFAULT '';

-- A wish to send the messages of a time again; the deliverer carries it out in batches.
CREATE TABLE tollgate.webhook_resends (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  since timestamptz NOT NULL,
  -- What is created later is delivered anyway.
  until timestamptz NOT NULL,
  -- Only what this endpoint has not taken.
  undelivered_only boolean NOT NULL,
  -- The message that was looked at last, and when it was written, to the microsecond; null before the first.
  after_created text,
  after_message text COLLATE "C",
  resent integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, endpoint_id)
    REFERENCES tollgate.webhook_endpoints (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX webhook_resends_open ON tollgate.webhook_resends (workspace_id, environment, endpoint_id)
  WHERE ended_at IS NULL;
CALL tollgate.protect_tenant_table('tollgate.webhook_resends');

-- Keys may be allowed to keep endpoints.
ALTER TABLE tollgate.api_keys DROP CONSTRAINT api_keys_scopes_check;
ALTER TABLE tollgate.api_keys ADD CONSTRAINT api_keys_scopes_check CHECK (
  scopes <@ ARRAY['read', 'usage', 'customers', 'subscriptions', 'billing', 'events', 'webhooks'] AND cardinality(scopes) > 0);

-- What runs before a tenant is known, and sees ids and times alone.
GRANT SELECT (workspace_id, environment, id, disabled_at, failing_since, key_id, previous_key_id)
  ON tollgate.webhook_endpoints TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.webhook_endpoints FOR SELECT TO tollgate_lookup USING (true);
GRANT SELECT (workspace_id, environment, endpoint_id, status, next_attempt_at) ON tollgate.webhook_deliveries TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.webhook_deliveries FOR SELECT TO tollgate_lookup USING (true);
GRANT SELECT (workspace_id, environment, id, endpoint_id, ended_at, created_at) ON tollgate.webhook_resends TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.webhook_resends FOR SELECT TO tollgate_lookup USING (true);

-- Endpoints with a delivery that is due (which is then taken tenant by tenant), after one of them in the order of ids: the
-- index is entered once for each endpoint that has something pending, however much that is. A page on which nothing is
-- due says where the next one begins, too, in a row without an endpoint: else those after it would never be looked at.
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

CREATE FUNCTION tollgate.find_open_webhook_resends(at_most integer)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT r.workspace_id, r.environment::text, r.id FROM tollgate.webhook_resends r
         WHERE r.ended_at IS NULL ORDER BY r.created_at, r.id LIMIT at_most $$;

-- How many deliveries are due, and since when the one that is late the most; of endpoints that fail they may be.
CREATE FUNCTION tollgate.measure_webhook_deliveries(at timestamptz, at_most integer)
  RETURNS TABLE (environment text, items bigint, oldest timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$
    SELECT e.name, count(o.next_attempt_at), min(o.next_attempt_at)
      FROM (VALUES ('sandbox'), ('production')) AS e (name)
      LEFT JOIN LATERAL (
        SELECT d.next_attempt_at
          FROM tollgate.webhook_deliveries d
          JOIN tollgate.webhook_endpoints p
            ON p.workspace_id = d.workspace_id AND p.environment = d.environment AND p.id = d.endpoint_id
         WHERE d.status = 'pending' AND d.next_attempt_at <= at AND d.environment::text = e.name
           AND p.failing_since IS NULL AND p.disabled_at IS NULL
         LIMIT at_most) AS o ON true
     GROUP BY e.name $$;

-- For the migration of credentials and its report, which then work tenant by tenant.
CREATE FUNCTION tollgate.list_webhook_endpoint_keys(after text, at_most integer)
  RETURNS TABLE (workspace_id text, environment text, id text, key_id text, previous_key_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT e.workspace_id, e.environment::text, e.id, e.key_id, e.previous_key_id FROM tollgate.webhook_endpoints e
         WHERE e.id > after ORDER BY e.id LIMIT at_most $$;
CREATE INDEX webhook_endpoints_ids ON tollgate.webhook_endpoints (id);

DO $$
DECLARE
  lookup regprocedure;
BEGIN
  FOREACH lookup IN ARRAY ARRAY[
    'tollgate.find_due_webhook_endpoints(timestamptz, text, integer)',
    'tollgate.find_open_webhook_resends(integer)',
    'tollgate.measure_webhook_deliveries(timestamptz, integer)']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO tollgate_lookup', lookup);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_deliverer', lookup);
  END LOOP;
END
$$;
ALTER FUNCTION tollgate.list_webhook_endpoint_keys(text, integer) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.list_webhook_endpoint_keys(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.list_webhook_endpoint_keys(text, integer) TO tollgate_runtime;
