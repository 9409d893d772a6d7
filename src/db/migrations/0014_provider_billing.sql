-- Subscriptions that a payment provider bills: what is under way between the two, their checkouts, one-off payments,
-- and the commands that the provider carries out.

-- What is under way: a call without an outcome yet, an approval that is waited for, what was asked and dropped, the
-- next look at the provider. Null in local billing. The synchronizer's marker stands in `metadata` (nextCycleSync).
ALTER TABLE tollgate.subscriptions ADD COLUMN provider_work jsonb;

ALTER TABLE tollgate.workspace_settings
  ADD COLUMN approval_days integer NOT NULL DEFAULT 3 CHECK (approval_days BETWEEN 1 AND 30);

-- The customer's attempts: each is a new one for the provider too, and a network retry is none.
ALTER TABLE tollgate.operations
  ADD COLUMN attempts integer NOT NULL DEFAULT 1 CHECK (attempts >= 1),
  DROP CONSTRAINT operations_kind_check,
  ADD CONSTRAINT operations_kind_check CHECK (kind IN (
    'cancel', 'reactivate', 'change', 'withdraw_scheduled_change', 'record_payment', 'refund', 'create_checkout', 'repair'));

-- A checkout offers a subscription, or (`payment`) takes an amount once.
ALTER TABLE tollgate.checkouts
  ADD COLUMN kind text NOT NULL DEFAULT 'subscription' CHECK (kind IN ('subscription', 'payment')),
  ADD COLUMN amount bigint CHECK (amount > 0),
  ADD COLUMN currency tollgate.currency_code,
  ADD COLUMN description text,
  ADD COLUMN metadata jsonb,               -- of a one-off payment; a subscription has its own
  ADD COLUMN connection_id text COLLATE "C",
  ADD COLUMN reference_kind text COLLATE "C",
  ADD COLUMN reference text COLLATE "C",   -- what the provider reads it back by
  ADD COLUMN success_url text,
  ADD COLUMN cancel_url text,
  ADD COLUMN failure text,                 -- why there is no page, or what was paid and could not be used
  ADD COLUMN looks integer NOT NULL DEFAULT 0,   -- how often the provider was read for it
  ALTER COLUMN subscription_id DROP NOT NULL,
  ADD CONSTRAINT checkouts_connection_fkey FOREIGN KEY (workspace_id, environment, connection_id)
    REFERENCES tollgate.provider_connections (workspace_id, environment, id),
  ADD CONSTRAINT checkouts_offer CHECK (
    (kind = 'subscription') = (subscription_id IS NOT NULL) AND (kind = 'payment') = (num_nulls(amount, currency, description) = 0)),
  ADD CONSTRAINT checkouts_connected CHECK ((provider = 'internal') = (connection_id IS NULL) OR status <> 'open');
