-- The plan's terms that a checkout offered. Those of its subscription are no record of them: they change once it has
-- begun. Null for a one-time amount, and in checkouts from before this, which show the terms of their subscription.
ALTER TABLE tollgate.checkouts ADD COLUMN terms jsonb;
