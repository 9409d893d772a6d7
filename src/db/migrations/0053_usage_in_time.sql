-- A use that is reported later than it happened, what is said about it, and what is taken back.

-- used_at: when it happened, where that is not when it was recorded. late: its usage period was closed by then.
-- entity: which of the customer's users or projects used it. transaction_id: null for what was recorded before.
ALTER TABLE tollgate.usage_events
  ADD COLUMN IF NOT EXISTS used_at timestamptz,
  ADD COLUMN IF NOT EXISTS late boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS properties json,
  ADD COLUMN IF NOT EXISTS entity text COLLATE "C",
  ADD COLUMN IF NOT EXISTS transaction_id xid8;
ALTER TABLE tollgate.usage_events ALTER COLUMN transaction_id SET DEFAULT pg_current_xact_id();
-- The time of use is CASE and not COALESCE, which the planner does not know to be leakproof: row-level security would keep
-- a condition on it from the index. docs/upgrade.md says how to add the columns and build these beforehand, beside the running service.
-- Each has a condition that holds for every row it is for: the hot path's plans, made while the table is empty, would
-- otherwise look a key up in one of these by the tenant alone (docs/decisions/usage-plans.md).
CREATE INDEX usage_events_id ON tollgate.usage_events (workspace_id, environment, id) WHERE id IS NOT NULL;
CREATE INDEX usage_events_customer ON tollgate.usage_events
  (workspace_id, environment, customer_id, (CASE WHEN used_at IS NULL THEN recorded_at ELSE used_at END), id) WHERE customer_id IS NOT NULL;
CREATE INDEX usage_events_feature ON tollgate.usage_events
  (workspace_id, environment, feature_id, (CASE WHEN used_at IS NULL THEN recorded_at ELSE used_at END), id) WHERE feature_id IS NOT NULL;
CREATE INDEX usage_events_transaction ON tollgate.usage_events (workspace_id, environment, transaction_id)
  WHERE transaction_id IS NOT NULL;

-- What was taken back of a use: once, and no more than it took.
CREATE TABLE tollgate.usage_reversals (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  quantity numeric NOT NULL CHECK (quantity > 0),
  -- Where it was given back: the event's own deductions, or a part of them.
  deductions json NOT NULL,
  reason text NOT NULL,
  -- Who: an operator or a key.
  actor json NOT NULL,
  -- The workspace's time.
  reversed_at timestamptz NOT NULL,
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (workspace_id, environment, event_id),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features (workspace_id, environment, id)
);
CREATE INDEX usage_reversals_transaction ON tollgate.usage_reversals (workspace_id, environment, transaction_id)
  WHERE transaction_id IS NOT NULL;
CALL tollgate.protect_tenant_table('tollgate.usage_reversals', 'SELECT', 'INSERT');
GRANT UPDATE (reason) ON tollgate.usage_reversals TO tollgate_worker;
GRANT UPDATE (properties, entity) ON tollgate.usage_events TO tollgate_worker;

-- Up to three properties of a feature's events by which its usage can be told apart.
ALTER TABLE tollgate.features ADD COLUMN dimensions text[] NOT NULL DEFAULT '{}'
  CHECK (cardinality(dimensions) <= 3);

-- How many days back a use may be reported, and for how long after its end a usage period stays open.
ALTER TABLE tollgate.workspace_settings
  ADD COLUMN usage_reported_days integer NOT NULL DEFAULT 35 CHECK (usage_reported_days BETWEEN 0 AND 366),
  ADD COLUMN usage_grace_minutes integer NOT NULL DEFAULT 60 CHECK (usage_grace_minutes BETWEEN 0 AND 10080);
