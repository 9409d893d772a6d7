-- The way into the job queue. graphile_worker.add_job works only for the owner of its schema, so the running
-- service calls it through this function, which allows the service's own tasks and nothing else.
CREATE FUNCTION tollgate.enqueue(task text, payload json, key text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
  AS $$
BEGIN
  IF task NOT IN ('poke-subscription') THEN
    RAISE EXCEPTION 'tollgate.enqueue: unknown task %', task;
  END IF;
  PERFORM graphile_worker.add_job(task, payload, job_key => key);
END
$$;
ALTER FUNCTION tollgate.enqueue(text, json, text) OWNER TO tollgate_outbox;
REVOKE ALL ON FUNCTION tollgate.enqueue(text, json, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.enqueue(text, json, text) TO tollgate_runtime;
