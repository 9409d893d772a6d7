-- What an operator wakes up for, counted for Prometheus: numbers and instants of every workspace, and no ids. Each is
-- read by an index and counts at_most rows.
CREATE INDEX subscriptions_past_due ON tollgate.subscriptions (environment) WHERE status = 'past_due';
GRANT SELECT (status) ON tollgate.subscriptions TO tollgate_lookup;

CREATE FUNCTION tollgate.measure_backlog(at timestamptz, at_most integer)
  RETURNS TABLE (backlog text, environment text, items bigint, oldest timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$
    SELECT 'overdue_wakes', e.name, count(o.wake), min(o.wake)
      FROM (VALUES ('sandbox'), ('production')) AS e (name)
      LEFT JOIN LATERAL (
        SELECT s.next_wake_at AS wake FROM tollgate.subscriptions s
         WHERE s.next_wake_at < at AND s.environment = e.name ORDER BY s.next_wake_at LIMIT at_most) AS o ON true
     GROUP BY e.name
     UNION ALL
    SELECT 'open_operations', e.name, count(o.created_at), min(o.created_at)
      FROM (VALUES ('sandbox'), ('production')) AS e (name)
      LEFT JOIN LATERAL (
        SELECT p.created_at FROM tollgate.operations p
         WHERE p.status IN ('pending', 'accepted') AND p.environment = e.name ORDER BY p.created_at LIMIT at_most) AS o ON true
     GROUP BY e.name
     UNION ALL
    SELECT 'past_due', e.name, count(o.environment), NULL
      FROM (VALUES ('sandbox'), ('production')) AS e (name)
      LEFT JOIN LATERAL (
        SELECT s.environment FROM tollgate.subscriptions s
         WHERE s.status = 'past_due' AND s.environment = e.name LIMIT at_most) AS o ON true
     GROUP BY e.name $$;
ALTER FUNCTION tollgate.measure_backlog(timestamptz, integer) OWNER TO tollgate_lookup;

CREATE FUNCTION tollgate.measure_outbox(at timestamptz, at_most integer)
  RETURNS TABLE (items bigint, oldest timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT count(*), min(w.created_at) FROM (
          SELECT j.created_at FROM graphile_worker._private_jobs j WHERE j.is_available = true AND j.run_at <= at LIMIT at_most) AS w $$;
ALTER FUNCTION tollgate.measure_outbox(timestamptz, integer) OWNER TO tollgate_outbox;

DO $$
DECLARE
  measure regprocedure;
BEGIN
  FOREACH measure IN ARRAY ARRAY[
    'tollgate.measure_backlog(timestamptz, integer)', 'tollgate.measure_outbox(timestamptz, integer)']::regprocedure[] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', measure);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_worker', measure);
  END LOOP;
END
$$;
