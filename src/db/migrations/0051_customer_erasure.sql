-- Erasure of a customer: the personal fields are blanked, money and usage stay under a pseudonym.

-- When the customer was erased (real time). From then on it has a pseudonym as its external id, and nothing changes it.
ALTER TABLE tollgate.customers ADD COLUMN erased_at timestamptz;
-- When a webhook's bytes and headers were erased (real time); such a webhook cannot be replayed.
ALTER TABLE tollgate.webhook_events ADD COLUMN erased_at timestamptz;

CREATE TABLE tollgate.customer_erasures (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  -- HMAC of the external id that the customer had: a repeated DELETE finds the erasure, and nobody the id.
  external_id_hash bytea NOT NULL,
  -- What the customer was called, to find where it is named in free text. Gone when the erasure is complete.
  names text[],
  -- How far it has come: the step, and the last row of it.
  step text NOT NULL,
  after text COLLATE "C",
  -- The transactions that were under way when the customer was renamed and have not ended.
  awaited text[],
  -- How many rows were blanked, by kind.
  blanked jsonb NOT NULL DEFAULT '{}',
  requested_at timestamptz NOT NULL,
  completed_at timestamptz,
  next_wake_at timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, customer_id),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id),
  CHECK (num_nonnulls(names, next_wake_at) = CASE WHEN completed_at IS NULL THEN 2 ELSE 0 END)
);
CREATE INDEX customer_erasures_external_id ON tollgate.customer_erasures (workspace_id, environment, external_id_hash);
CREATE INDEX customer_erasures_wake ON tollgate.customer_erasures (next_wake_at) WHERE next_wake_at IS NOT NULL;
CALL tollgate.protect_tenant_table('tollgate.customer_erasures', 'SELECT', 'INSERT', 'UPDATE');

-- What is only ever added to is blanked by the worker, column by column: who did what and when, quantities and what
-- they were taken from stay as they were written.
GRANT UPDATE (message, source, data) ON tollgate.developer_events TO tollgate_worker;
GRANT UPDATE (idempotency_key, fingerprint, source, answer) ON tollgate.usage_events TO tollgate_worker;
GRANT UPDATE (message, data) ON tollgate.subscription_history TO tollgate_worker;
GRANT UPDATE (detail) ON tollgate.audit_records TO tollgate_worker;
GRANT UPDATE (idempotency_key, fingerprint, body) ON tollgate.idempotency_answers TO tollgate_worker;

-- The sweep finds an erasure whose workflow was lost.
CREATE POLICY lookup ON tollgate.customer_erasures FOR SELECT TO tollgate_lookup USING (true);
GRANT SELECT (workspace_id, environment, id, next_wake_at) ON tollgate.customer_erasures TO tollgate_lookup;
CREATE FUNCTION tollgate.find_overdue_erasures(before timestamptz, at_most integer, of_environment text)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT e.workspace_id, e.environment, e.id FROM tollgate.customer_erasures e
         WHERE e.next_wake_at < before AND (of_environment IS NULL OR e.environment = of_environment)
         ORDER BY e.next_wake_at LIMIT at_most $$;
ALTER FUNCTION tollgate.find_overdue_erasures(timestamptz, integer, text) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.find_overdue_erasures(timestamptz, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.find_overdue_erasures(timestamptz, integer, text) TO tollgate_worker;

CREATE OR REPLACE FUNCTION tollgate.enqueue(task text, payload json, key text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
  AS $$
BEGIN
  IF task NOT IN ('poke-subscription', 'poke-checkout', 'poke-refund', 'poke-erasure', 'reschedule-subscriptions') THEN
    RAISE EXCEPTION 'tollgate.enqueue: unknown task %', task;
  END IF;
  PERFORM graphile_worker.add_job(task, payload, job_key => key,
    priority => CASE WHEN payload ->> 'environment' = 'sandbox' THEN 10 ELSE 0 END);
END
$$;
