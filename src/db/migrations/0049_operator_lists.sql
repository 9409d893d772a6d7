-- What operators list and count. Each predicate stands in the queries in the same words: row-level security lets no
-- other condition reach an index.
CREATE INDEX subscriptions_status ON tollgate.subscriptions (workspace_id, environment, status, created_at, id);
-- When the current period is over.
CREATE INDEX subscriptions_boundary ON tollgate.subscriptions
  (workspace_id, environment, (LEAST(current_period_end, cancel_at)), id)
  WHERE status IN ('trialing', 'active', 'past_due');
-- What is under way at a payment provider.
CREATE INDEX subscriptions_at_provider ON tollgate.subscriptions (workspace_id, environment, created_at, id)
  WHERE status IN ('trialing', 'active', 'past_due')
    AND (provider_work ->> 'unsettled' IS NOT NULL OR provider_work ->> 'request' IS NOT NULL);
CREATE INDEX subscriptions_preparation_failed ON tollgate.subscriptions (workspace_id, environment, created_at, id)
  WHERE metadata -> 'nextCycleSync' ->> 'state' = 'failed';
CREATE INDEX subscriptions_drift ON tollgate.subscriptions (workspace_id, environment, id) WHERE drift IS NOT NULL;
CREATE INDEX refunds_pending ON tollgate.refunds (workspace_id, environment, created_at, id) WHERE status = 'pending';

-- The last test of a provider connection: when (real time), and which checks failed.
ALTER TABLE tollgate.provider_connections
  ADD COLUMN tested_at timestamptz,
  ADD COLUMN failed_checks text[] NOT NULL DEFAULT '{}';

-- The console tells operators whether the outbox is emptied.
GRANT EXECUTE ON FUNCTION tollgate.measure_outbox(timestamptz, integer) TO tollgate_runtime;

-- Without them the planner takes a subscription with nothing under way for a rare one.
CREATE STATISTICS tollgate.subscriptions_provider_work ON (provider_work ->> 'unsettled'), (provider_work ->> 'request')
  FROM tollgate.subscriptions;

-- Row-level security keeps the look into `data`, which is not leakproof, from its index: the events of a customer were
-- found by reading all of a tenant's. The function looks into the context's tenant alone, and answers where they are.
CREATE POLICY lookup ON tollgate.developer_events FOR SELECT TO tollgate_lookup USING (true);
GRANT SELECT (workspace_id, environment, id, data, created_at) ON tollgate.developer_events TO tollgate_lookup;
CREATE FUNCTION tollgate.find_customer_events(
    customer text, from_at timestamptz, to_at timestamptz, before_at timestamptz, before_id text, at_most integer)
  RETURNS TABLE (created_at timestamptz, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog ROWS 50
  AS $$
    SELECT e.created_at, e.id FROM tollgate.developer_events e
     WHERE e.workspace_id = tollgate.workspace_id() AND e.environment = tollgate.environment()
       AND e.data ->> 'customerId' = customer AND e.created_at >= from_at AND e.created_at < to_at
       AND e.created_at <= before_at AND (e.created_at < before_at OR e.id < before_id)
     ORDER BY e.created_at DESC, e.id DESC LIMIT at_most $$;
ALTER FUNCTION tollgate.find_customer_events(text, timestamptz, timestamptz, timestamptz, text, integer) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.find_customer_events(text, timestamptz, timestamptz, timestamptz, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.find_customer_events(text, timestamptz, timestamptz, timestamptz, text, integer) TO tollgate_runtime;
