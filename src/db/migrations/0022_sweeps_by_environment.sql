-- What should have woken, of one environment, so that a sandbox's arrears keep nobody's production waiting; NULL is
-- both. The functions without an environment are those of earlier versions.
CREATE FUNCTION tollgate.find_overdue_subscriptions(before timestamptz, at_most integer, of_environment text)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT o.workspace_id, o.environment, o.id FROM (
          SELECT s.workspace_id, s.environment, s.id, s.next_wake_at FROM tollgate.subscriptions s
           WHERE s.next_wake_at < before AND (of_environment IS NULL OR s.environment = of_environment)
           UNION
          SELECT s.workspace_id, s.environment, s.id, s.next_wake_at
            FROM tollgate.sandbox_clocks c
            JOIN tollgate.subscriptions s ON s.workspace_id = c.workspace_id AND s.environment = c.environment
           WHERE c.offset_ms > 0 AND s.next_wake_at < before + c.offset_ms * interval '1 millisecond'
             AND (of_environment IS NULL OR s.environment = of_environment)) AS o
        ORDER BY o.next_wake_at LIMIT at_most $$;

CREATE FUNCTION tollgate.find_overdue_checkouts(before timestamptz, at_most integer, of_environment text)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT k.workspace_id, k.environment, k.id
          FROM tollgate.checkouts k
          LEFT JOIN tollgate.sandbox_clocks c ON c.workspace_id = k.workspace_id AND c.environment = k.environment
         WHERE k.next_wake_at < before + coalesce(c.offset_ms, 0) * interval '1 millisecond'
           AND (of_environment IS NULL OR k.environment = of_environment)
         ORDER BY k.next_wake_at LIMIT at_most $$;

CREATE FUNCTION tollgate.find_overdue_refunds(before timestamptz, at_most integer, of_environment text)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT r.workspace_id, r.environment, r.id FROM tollgate.refunds r
         WHERE r.next_wake_at < before AND (of_environment IS NULL OR r.environment = of_environment)
         ORDER BY r.next_wake_at LIMIT at_most $$;

DO $$
DECLARE
  lookup regprocedure;
BEGIN
  FOREACH lookup IN ARRAY ARRAY[
    'tollgate.find_overdue_subscriptions(timestamptz, integer, text)',
    'tollgate.find_overdue_checkouts(timestamptz, integer, text)',
    'tollgate.find_overdue_refunds(timestamptz, integer, text)']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO tollgate_lookup', lookup);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_runtime', lookup);
  END LOOP;
END
$$;
