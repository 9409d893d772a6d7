-- The time of an unpaid subscription is kept by its checkout. At a payment provider the checkout may be awaited for weeks
-- after its deadline, for example for a bank debit. Until then the subscription's own wake is past, and nothing is late:
-- the wake of its checkout counts.
CREATE OR REPLACE FUNCTION tollgate.find_overdue_subscriptions(before timestamptz, at_most integer, of_environment text)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT o.workspace_id, o.environment, o.id FROM (
          SELECT s.workspace_id, s.environment, s.id, s.next_wake_at FROM tollgate.subscriptions s
           WHERE s.next_wake_at < before AND s.status <> 'incomplete'
             AND (of_environment IS NULL OR s.environment = of_environment)
           UNION
          SELECT s.workspace_id, s.environment, s.id, s.next_wake_at
            FROM tollgate.sandbox_clocks c
            JOIN tollgate.subscriptions s ON s.workspace_id = c.workspace_id AND s.environment = c.environment
           WHERE c.offset_ms > 0 AND s.next_wake_at < before + c.offset_ms * interval '1 millisecond'
             AND s.status <> 'incomplete'
             AND (of_environment IS NULL OR s.environment = of_environment)) AS o
        ORDER BY o.next_wake_at LIMIT at_most $$;

CREATE OR REPLACE FUNCTION tollgate.measure_backlog(at timestamptz, at_most integer)
  RETURNS TABLE (backlog text, environment text, items bigint, oldest timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$
    SELECT 'overdue_wakes', e.name, count(o.wake), min(o.wake)
      FROM (VALUES ('sandbox'), ('production')) AS e (name)
      LEFT JOIN LATERAL (
        (SELECT s.next_wake_at AS wake FROM tollgate.subscriptions s
          WHERE s.next_wake_at < at AND s.environment = e.name AND s.status <> 'incomplete'
          ORDER BY s.next_wake_at LIMIT at_most)
         UNION ALL
        (SELECT k.next_wake_at FROM tollgate.checkouts k
          WHERE k.next_wake_at < at AND k.environment = e.name
          ORDER BY k.next_wake_at LIMIT at_most)) AS o ON true
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
