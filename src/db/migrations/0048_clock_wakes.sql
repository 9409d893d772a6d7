-- An advance of a sandbox's clock leaves one signal for each workflow that waits, to be sent when its instant comes by the
-- clock as it is then. One call takes them all.
CREATE FUNCTION tollgate.enqueue_each(task text, payloads json[], keys text[], run_ats timestamptz[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
  AS $$
BEGIN
  IF task NOT IN ('poke-subscription', 'poke-checkout') THEN
    RAISE EXCEPTION 'tollgate.enqueue_each: unknown task %', task;
  END IF;
  IF cardinality(keys) > 0 THEN
    PERFORM graphile_worker.add_jobs(ARRAY(
      SELECT ROW(task, j.payload, NULL, j.run_at, NULL, j.key,
                 CASE WHEN j.payload ->> 'environment' = 'sandbox' THEN 10 ELSE 0 END, NULL)::graphile_worker.job_spec
        FROM unnest(payloads, keys, run_ats) AS j (payload, key, run_at)));
  END IF;
END
$$;
ALTER FUNCTION tollgate.enqueue_each(text, json[], text[], timestamptz[]) OWNER TO tollgate_outbox;
REVOKE ALL ON FUNCTION tollgate.enqueue_each(text, json[], text[], timestamptz[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.enqueue_each(text, json[], text[], timestamptz[]) TO tollgate_runtime;

-- A signal of the clock is in the queue long before it may be sent: it waits only from then on.
CREATE OR REPLACE FUNCTION tollgate.measure_outbox(at timestamptz, at_most integer)
  RETURNS TABLE (items bigint, oldest timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT count(*), min(w.since) FROM (
          SELECT CASE WHEN j.key LIKE 'clock/%' THEN j.run_at ELSE j.created_at END AS since
            FROM graphile_worker._private_jobs j WHERE j.is_available = true AND j.run_at <= at LIMIT at_most) AS w $$;
