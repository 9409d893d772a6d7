-- Each check and track reads the customer's grants that could still be spent. Those that expired with a remainder stay
-- in the table, and without their expiry in the index they were all read, too.
CREATE INDEX IF NOT EXISTS credit_grants_unspent ON tollgate.credit_grants
  (workspace_id, environment, customer_id, expires_at) WHERE remaining > 0;

-- The list of an entity's uses read all uses of its customer. Uses without an entity cost nothing here. docs/upgrade.md
-- says how to build it beforehand, beside the running service.
CREATE INDEX IF NOT EXISTS usage_events_entity ON tollgate.usage_events
  (customer_id, entity, (CASE WHEN used_at IS NULL THEN recorded_at ELSE used_at END), id) WHERE entity IS NOT NULL;
