-- When somebody gave the checkout up: from then on it is to be ended at its payment provider, unless it was paid there.
-- Until 0040 this stood in a run of its workflow alone.
ALTER TABLE tollgate.checkouts ADD COLUMN given_up_at timestamptz;

-- Whether a job waits that will send a command: its attempts are not used up, it is due within ten minutes, and no relay
-- that has died holds it.
CREATE FUNCTION tollgate.has_sending_job(job_key text) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT EXISTS (
          SELECT FROM graphile_worker._private_jobs AS j
           WHERE j.key = job_key AND j.attempts < j.max_attempts
             AND j.run_at < now() + interval '10 minutes'
             AND (j.locked_at IS NULL OR j.locked_at > now() - interval '2 minutes')) $$;
ALTER FUNCTION tollgate.has_sending_job(text) OWNER TO tollgate_outbox;
REVOKE ALL ON FUNCTION tollgate.has_sending_job(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.has_sending_job(text) TO tollgate_runtime;

-- The same as in 0019, by that function.
CREATE OR REPLACE FUNCTION tollgate.keep_sending(payload json, key text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
  AS $$
BEGIN
  IF tollgate.has_sending_job(keep_sending.key) THEN
    RETURN false;
  END IF;
  PERFORM graphile_worker.add_job('send-operation', payload, job_key => keep_sending.key,
    priority => CASE WHEN payload ->> 'environment' = 'sandbox' THEN 15 ELSE 5 END);
  RETURN true;
END
$$;
