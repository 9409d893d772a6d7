-- Whether a job will do its work: attempts are left, it is due within ten minutes, and no dead relay holds it. Postgres
-- puts it in the place of each call, so it has no setting of its own.
CREATE FUNCTION tollgate.will_run(attempts smallint, max_attempts smallint, run_at timestamptz, locked_at timestamptz)
  RETURNS boolean LANGUAGE sql STABLE
  AS $$ SELECT attempts < max_attempts AND run_at < now() + interval '10 minutes'
           AND (locked_at IS NULL OR locked_at > now() - interval '2 minutes') $$;
ALTER FUNCTION tollgate.will_run(smallint, smallint, timestamptz, timestamptz) OWNER TO tollgate_outbox;
REVOKE ALL ON FUNCTION tollgate.will_run(smallint, smallint, timestamptz, timestamptz) FROM PUBLIC;

-- The same as in 0040, by that function.
CREATE OR REPLACE FUNCTION tollgate.has_sending_job(job_key text) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT EXISTS (
          SELECT FROM graphile_worker._private_jobs j
           WHERE j.key = job_key AND tollgate.will_run(j.attempts, j.max_attempts, j.run_at, j.locked_at)) $$;

-- The keys of all jobs that will send a command.
CREATE FUNCTION tollgate.list_sending_jobs() RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT j.key FROM graphile_worker._private_jobs j
         WHERE j.key LIKE 'operation/%' AND tollgate.will_run(j.attempts, j.max_attempts, j.run_at, j.locked_at) $$;
ALTER FUNCTION tollgate.list_sending_jobs() OWNER TO tollgate_outbox;
REVOKE ALL ON FUNCTION tollgate.list_sending_jobs() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.list_sending_jobs() TO tollgate_lookup;

-- Open commands that no job will send, oldest first. An outage may leave a million others, whose jobs wait, so the
-- queue is read once and not once for each command; the statistics may still say that there are few.
CREATE FUNCTION tollgate.find_unsent_operations(before timestamptz, at_most integer)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog SET enable_nestloop = off
  AS $$ SELECT o.workspace_id, o.environment, o.id FROM tollgate.operations o
          LEFT JOIN tollgate.list_sending_jobs() j (key) ON j.key = 'operation/' || o.environment || '/' || o.id
         WHERE o.created_at < before AND (o.status = 'accepted' OR (o.status = 'pending' AND o.resendable))
           AND j.key IS NULL
         ORDER BY o.created_at LIMIT at_most $$;
ALTER FUNCTION tollgate.find_unsent_operations(timestamptz, integer) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.find_unsent_operations(timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.find_unsent_operations(timestamptz, integer) TO tollgate_worker;
