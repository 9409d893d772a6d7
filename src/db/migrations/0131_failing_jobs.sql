-- A job that fails each time waits for its next attempt, for up to six hours: it is almost never among those that may run,
-- and after its last attempt nothing sends its signal. Only signals: a command's job fails until the command has ended, and
-- that of new settings until they are applied.
CREATE INDEX IF NOT EXISTS jobs_failing ON graphile_worker._private_jobs (task_id) WHERE attempts >= 5 AND attempts < max_attempts;

CREATE FUNCTION tollgate.count_failing_jobs(at_most integer) RETURNS bigint
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT count(*) FROM (
          SELECT FROM graphile_worker._private_jobs j
            JOIN graphile_worker._private_tasks t ON t.id = j.task_id
           WHERE j.attempts >= 5 AND j.attempts < j.max_attempts AND t.identifier LIKE 'poke-%' LIMIT at_most) AS f $$;
ALTER FUNCTION tollgate.count_failing_jobs(integer) OWNER TO tollgate_outbox;
REVOKE ALL ON FUNCTION tollgate.count_failing_jobs(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.count_failing_jobs(integer) TO tollgate_worker;
