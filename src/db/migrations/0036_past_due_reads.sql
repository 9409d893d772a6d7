-- What is past due at a payment provider is read there from an hour after it became so. The rows that are past due
-- already wake for it: their workflows, which sleep until the period ends, are poked by the sweep of overdue rows.
-- The owner is not bound by the wall between tenants for this one statement.
ALTER TABLE tollgate.subscriptions NO FORCE ROW LEVEL SECURITY;
UPDATE tollgate.subscriptions
   SET next_wake_at = least(next_wake_at, past_due_since + interval '1 hour')
 WHERE provider <> 'internal' AND status = 'past_due' AND past_due_since IS NOT NULL;
ALTER TABLE tollgate.subscriptions FORCE ROW LEVEL SECURITY;
