-- Usage: one counter a customer, feature, subscription, reset interval and usage period; one event a track.
--
-- used = quota_used + credit_used + overage_used is the sum of what the events attributed to this counter.
CREATE TABLE tollgate.usage_counters (
  workspace_id    text COLLATE "C" NOT NULL,
  environment     tollgate.environment_name NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  feature_id      text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  reset_interval  text COLLATE "C" NOT NULL,
  period_start    timestamptz NOT NULL,
  quota_used      numeric NOT NULL CHECK (quota_used >= 0),
  credit_used     numeric NOT NULL CHECK (credit_used >= 0),
  overage_used    numeric NOT NULL CHECK (overage_used >= 0),
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, customer_id, feature_id, subscription_id, reset_interval, period_start),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features (workspace_id, environment, id)
) WITH (fillfactor = 70);
CALL tollgate.protect_tenant_table('tollgate.usage_counters', 'SELECT', 'INSERT', 'UPDATE');

-- The idempotency key is the primary key for as long as the event is kept, so that a late retry can never
-- count twice. A unique key cannot span partitions by time, hence hash; few partitions, because each costs every
-- statement some start-up (16 made a batch of 16 tracks a tenth slower). No foreign keys: the writer read the
-- customer and the feature in the same transaction, and neither is ever deleted.
CREATE TABLE tollgate.usage_events (
  workspace_id    text COLLATE "C" NOT NULL,
  environment     tollgate.environment_name NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  fingerprint     bytea NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  feature_id      text COLLATE "C" NOT NULL,
  quantity        numeric NOT NULL CHECK (quantity > 0),
  source          text NOT NULL,
  deductions      json NOT NULL,   -- [{ from, quantity, subscriptionId, resetInterval, periodStart, grantId?, credits? }], decimals as text
  answer          json NOT NULL,   -- json, not jsonb: a replay returns these bytes
  recorded_at     timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, idempotency_key)
) PARTITION BY HASH (workspace_id, environment, idempotency_key);
CALL tollgate.protect_tenant_table('tollgate.usage_events', 'SELECT', 'INSERT');

DO $$
BEGIN
  FOR remainder IN 0..3 LOOP
    EXECUTE format(
      'CREATE TABLE tollgate.usage_events_%s PARTITION OF tollgate.usage_events FOR VALUES WITH (MODULUS 4, REMAINDER %s)',
      lpad(remainder::text, 2, '0'), remainder);
    -- Reached through the parent only: no policy and no grant, so a partition named directly returns nothing.
    EXECUTE format('ALTER TABLE tollgate.usage_events_%s ENABLE ROW LEVEL SECURITY', lpad(remainder::text, 2, '0'));
    EXECUTE format('ALTER TABLE tollgate.usage_events_%s FORCE ROW LEVEL SECURITY', lpad(remainder::text, 2, '0'));
  END LOOP;
END
$$;

-- Ends a transaction that left other balances than it decided on: the caller holds the customer's lock, so this
-- is a wall against a writer that does not take it, not a way of life. 40001 makes the caller try again.
CREATE FUNCTION tollgate.assert_equal(actual numeric, expected numeric) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF coalesce(actual, 0) <> expected THEN
    RAISE EXCEPTION 'expected %, found %', expected, actual USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN true;
END
$$;
