-- What the last look at the payment provider found to differ; NULL where it agreed. It keeps the daily report from
-- saying the same twice, and is no part of the subscription: it changes without the row's version.
ALTER TABLE tollgate.subscriptions ADD COLUMN drift jsonb;
