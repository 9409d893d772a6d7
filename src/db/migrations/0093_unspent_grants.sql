-- Each check and track reads the customer's grants that could still be spent. Those that expired with a remainder stay
-- in the table, and without their expiry in the index they were all read, too.
CREATE INDEX IF NOT EXISTS credit_grants_unspent ON tollgate.credit_grants
  (workspace_id, environment, customer_id, expires_at) WHERE remaining > 0;
DROP INDEX IF EXISTS tollgate.credit_grants_spendable;
