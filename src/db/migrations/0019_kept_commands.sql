-- What a caller was told of a command decides what becomes of it. `accepted`: 202 was given, and a job in the queue
-- sends the command until it has ended. `abandoned`: 503 was given, and whatever of it is still on its way does
-- nothing; the same key opens it again.
ALTER TABLE tollgate.operations
  DROP CONSTRAINT operations_status_check,
  ADD CONSTRAINT operations_status_check
    CHECK (status IN ('pending', 'accepted', 'abandoned', 'succeeded', 'refused')),
  -- False for a command of an earlier version, whose caller may have been told 503 and nothing else: while it is
  -- pending nobody sends it again but its own caller.
  ADD COLUMN resendable boolean NOT NULL DEFAULT false;

CREATE INDEX operations_open ON tollgate.operations (created_at) WHERE status IN ('pending', 'accepted');

-- Across workspaces: the open commands that somebody has to send, and whether one has ended.
GRANT SELECT (workspace_id, environment, id, status, resendable, created_at) ON tollgate.operations TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.operations FOR SELECT TO tollgate_lookup USING (true);

CREATE FUNCTION tollgate.find_open_operations(before timestamptz, at_most integer)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT o.workspace_id, o.environment, o.id FROM tollgate.operations o
         WHERE o.created_at < before AND (o.status = 'accepted' OR (o.status = 'pending' AND o.resendable))
         ORDER BY o.created_at LIMIT at_most $$;

CREATE FUNCTION tollgate.operation_has_ended(workspace text, env text, operation text) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT NOT EXISTS (
          SELECT FROM tollgate.operations o
           WHERE o.workspace_id = workspace AND o.environment = env AND o.id = operation
             AND o.status IN ('pending', 'accepted')) $$;

ALTER FUNCTION tollgate.find_open_operations(timestamptz, integer) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.find_open_operations(timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.find_open_operations(timestamptz, integer) TO tollgate_runtime;
ALTER FUNCTION tollgate.operation_has_ended(text, text, text) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.operation_has_ended(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.operation_has_ended(text, text, text) TO tollgate_outbox;
GRANT USAGE ON SCHEMA tollgate TO tollgate_outbox;

-- Leaves a job that sends a command, unless there is one that will run: its attempts are not used up, it is due within
-- ten minutes, and no relay that has died holds it. Behind the environment's pokes, which take a moment each.
CREATE FUNCTION tollgate.keep_sending(payload json, key text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
  AS $$
BEGIN
  IF EXISTS (
    SELECT FROM graphile_worker._private_jobs AS j
     WHERE j.key = keep_sending.key AND j.attempts < j.max_attempts
       AND j.run_at < now() + interval '10 minutes'
       AND (j.locked_at IS NULL OR j.locked_at > now() - interval '2 minutes')) THEN
    RETURN false;
  END IF;
  PERFORM graphile_worker.add_job('send-operation', payload, job_key => key,
    priority => CASE WHEN payload ->> 'environment' = 'sandbox' THEN 15 ELSE 5 END);
  RETURN true;
END
$$;
ALTER FUNCTION tollgate.keep_sending(json, text) OWNER TO tollgate_outbox;
REVOKE ALL ON FUNCTION tollgate.keep_sending(json, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.keep_sending(json, text) TO tollgate_runtime;
