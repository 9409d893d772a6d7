-- A job whose attempts are used up still owes its signal: it is counted until it is tried again. One without a key owes
-- nothing, because a newer job has replaced it. A command's job, or that of new settings, fails also while it only waits,
-- so it is counted once its attempts are used up.
DROP INDEX graphile_worker.jobs_failing;
CREATE INDEX jobs_failing ON graphile_worker._private_jobs (task_id) WHERE attempts >= 5 AND key IS NOT NULL;

CREATE OR REPLACE FUNCTION tollgate.count_failing_jobs(at_most integer) RETURNS bigint
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT count(*) FROM (
          SELECT FROM graphile_worker._private_jobs j
            JOIN graphile_worker._private_tasks t ON t.id = j.task_id
           WHERE j.attempts >= 5 AND j.key IS NOT NULL
             AND (j.attempts >= j.max_attempts OR t.identifier LIKE 'poke-%') LIMIT at_most) AS f $$;
