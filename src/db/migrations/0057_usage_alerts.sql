-- Usage alerts: which percents of a quota are notified, when credits are low, and what was notified already. The most
-- special setting holds: the customer's, the entitlement's, the workspace's. Constraints of the large tables are not
-- compared with their rows, which are all null.
ALTER TABLE tollgate.workspace_settings
  -- Empty: none.
  ADD COLUMN usage_alert_percents integer[] NOT NULL DEFAULT '{80,100}'
    CHECK (cardinality(usage_alert_percents) <= 10 AND 1 <= ALL (usage_alert_percents) AND 1000 >= ALL (usage_alert_percents)),
  -- Percent of what was granted; null: none.
  ADD COLUMN credits_low_percent integer DEFAULT 20 CHECK (credits_low_percent BETWEEN 1 AND 99);

ALTER TABLE tollgate.plan_entitlements
  -- null: the workspace's.
  ADD COLUMN alert_percents integer[]
    CHECK (cardinality(alert_percents) <= 10 AND 1 <= ALL (alert_percents) AND 1000 >= ALL (alert_percents));

ALTER TABLE tollgate.customers
  -- null: the entitlement's or the workspace's.
  ADD COLUMN usage_alert_percents integer[];
ALTER TABLE tollgate.customers
  ADD CONSTRAINT customers_usage_alert_percents_check
    CHECK (cardinality(usage_alert_percents) <= 10 AND 1 <= ALL (usage_alert_percents) AND 1000 >= ALL (usage_alert_percents))
    NOT VALID;

ALTER TABLE tollgate.usage_counters
  -- The quota that was last notified of, and the highest percent of it; both null where nothing was notified.
  ADD COLUMN alerted_quota numeric,
  ADD COLUMN alerted_percent integer;
ALTER TABLE tollgate.usage_counters
  ADD CONSTRAINT usage_counters_alerted_check CHECK ((alerted_quota IS NULL) = (alerted_percent IS NULL)) NOT VALID;

ALTER TABLE tollgate.credit_grants
  -- When it was notified that the customer's credits are low (the workspace's time): this grant notifies no more.
  ADD COLUMN low_alerted_at timestamptz;
