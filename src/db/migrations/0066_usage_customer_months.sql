-- UTC months by customer: the largest of many customers over a month are found without a row for each of its days
-- (docs/decisions/usage-series.md). Always the sums of usage_customer_days, by its triggers, so that a worker of an
-- earlier version keeps them as well.
CREATE TABLE tollgate.usage_customer_months (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  month timestamptz NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  quantity numeric NOT NULL,
  events bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, feature_id, month, customer_id)
) WITH (fillfactor = 80);
CALL tollgate.protect_tenant_table('tollgate.usage_customer_months', 'SELECT');
GRANT INSERT, UPDATE, DELETE ON tollgate.usage_customer_months TO tollgate_worker;

CREATE FUNCTION tollgate.add_to_customer_months() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tollgate.usage_customer_months AS m
    (workspace_id, environment, feature_id, month, customer_id, quantity, events)
  SELECT workspace_id, environment, feature_id, date_trunc('month', day, 'UTC') AS month, customer_id, sum(quantity), sum(events)
    FROM added GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (workspace_id, environment, feature_id, month, customer_id) DO UPDATE
    SET quantity = m.quantity + EXCLUDED.quantity, events = m.events + EXCLUDED.events;
  RETURN NULL;
END
$$;
CREATE FUNCTION tollgate.change_customer_months() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tollgate.usage_customer_months AS m
    (workspace_id, environment, feature_id, month, customer_id, quantity, events)
  SELECT workspace_id, environment, feature_id, date_trunc('month', day, 'UTC') AS month, customer_id, sum(quantity), sum(events)
    FROM (SELECT * FROM added
          UNION ALL
          SELECT workspace_id, environment, feature_id, day, customer_id, -quantity, -events FROM taken) AS c
   GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (workspace_id, environment, feature_id, month, customer_id) DO UPDATE
    SET quantity = m.quantity + EXCLUDED.quantity, events = m.events + EXCLUDED.events;
  RETURN NULL;
END
$$;
CREATE FUNCTION tollgate.take_from_customer_months() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tollgate.usage_customer_months AS m
    (workspace_id, environment, feature_id, month, customer_id, quantity, events)
  SELECT workspace_id, environment, feature_id, date_trunc('month', day, 'UTC') AS month, customer_id, -sum(quantity), -sum(events)
    FROM taken GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (workspace_id, environment, feature_id, month, customer_id) DO UPDATE
    SET quantity = m.quantity + EXCLUDED.quantity, events = m.events + EXCLUDED.events;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION tollgate.add_to_customer_months(), tollgate.change_customer_months(),
  tollgate.take_from_customer_months() FROM PUBLIC;

CREATE TRIGGER months_of_added AFTER INSERT ON tollgate.usage_customer_days
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tollgate.add_to_customer_months();
CREATE TRIGGER months_of_changed AFTER UPDATE ON tollgate.usage_customer_days
  REFERENCING OLD TABLE AS taken NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tollgate.change_customer_months();
CREATE TRIGGER months_of_deleted AFTER DELETE ON tollgate.usage_customer_days
  REFERENCING OLD TABLE AS taken
  FOR EACH STATEMENT EXECUTE FUNCTION tollgate.take_from_customer_months();

-- Those of before. The owner is not bound by the wall between tenants for these statements; making the triggers has
-- locked the days against whoever adds.
ALTER TABLE tollgate.usage_customer_days NO FORCE ROW LEVEL SECURITY;
ALTER TABLE tollgate.usage_customer_months NO FORCE ROW LEVEL SECURITY;
INSERT INTO tollgate.usage_customer_months (workspace_id, environment, feature_id, month, customer_id, quantity, events)
SELECT workspace_id, environment, feature_id, date_trunc('month', day, 'UTC'), customer_id, sum(quantity), sum(events)
  FROM tollgate.usage_customer_days GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5;
ALTER TABLE tollgate.usage_customer_days FORCE ROW LEVEL SECURITY;
ALTER TABLE tollgate.usage_customer_months FORCE ROW LEVEL SECURITY;
