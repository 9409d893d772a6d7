-- A job that has a workspace's subscriptions looked at again; and production's jobs come before a sandbox's, so that
-- one that is advanced by years keeps nobody's production waiting.
CREATE OR REPLACE FUNCTION tollgate.enqueue(task text, payload json, key text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
  AS $$
BEGIN
  IF task NOT IN ('poke-subscription', 'poke-checkout', 'poke-refund', 'reschedule-subscriptions') THEN
    RAISE EXCEPTION 'tollgate.enqueue: unknown task %', task;
  END IF;
  PERFORM graphile_worker.add_job(task, payload, job_key => key,
    priority => CASE WHEN payload ->> 'environment' = 'sandbox' THEN 10 ELSE 0 END);
END
$$;
