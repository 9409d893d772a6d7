-- Of the charges of a subscription at a payment provider: `payments_read_until` is the latest one that was listed, by
-- the provider's time; what is older is not read again, but for what may still be collected or given back.
-- `payments_read_at` is when they were read last, by the workspace's time, and `nothing_due_at` the latest charge that
-- came to nothing. They change without the row's version.
ALTER TABLE tollgate.subscriptions
  ADD COLUMN payments_read_until timestamptz,
  ADD COLUMN payments_read_at    timestamptz,
  ADD COLUMN nothing_due_at      timestamptz;
