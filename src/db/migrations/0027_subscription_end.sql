-- When a subscription ends by itself, where its payment provider names an instant: within the period, at its end, or
-- after further ones. NULL where none is named: `cancel_at_period_end` alone then says whether it ends with its period.
ALTER TABLE tollgate.subscriptions ADD COLUMN cancel_at timestamptz;
COMMENT ON COLUMN tollgate.subscriptions.cancel_at IS
  'When it ends by itself, where the payment provider names an instant; cancel_at_period_end follows from it';

-- Until now provider A's end after further periods was taken for one with this period. Which rows that concerns only
-- the provider can say: it is read again for each that is to end, by the step that reads it at a period's end.
-- The owner is not bound by the wall between tenants for this one statement.
ALTER TABLE tollgate.subscriptions NO FORCE ROW LEVEL SECURITY;
UPDATE tollgate.subscriptions
   SET provider_work = jsonb_set(coalesce(provider_work, '{}'), '{lookAgainAt}',
         to_jsonb((extract(epoch FROM current_period_start) * 1000)::bigint)),
       next_wake_at = current_period_start
 WHERE provider = 'provider_a' AND cancel_at_period_end AND status IN ('trialing', 'active', 'past_due');
ALTER TABLE tollgate.subscriptions FORCE ROW LEVEL SECURITY;
