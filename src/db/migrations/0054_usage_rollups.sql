-- Sums of usage, so that a month of uses is not read use by use (docs/decisions/usage-series.md).

-- How far the sums reach: everything that transactions before the watermark wrote is in them, once, and nothing else is.
-- What comes after it is read from the uses and reversals themselves.
CREATE TABLE tollgate.usage_rollups (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  watermark xid8 NOT NULL,
  -- Of the uses without a transaction, those up to this id are in the sums too. NULL: all are.
  earlier_after text COLLATE "C",
  -- pg_control_system().system_identifier of the cluster that counts these transactions. A dump that was restored
  -- elsewhere has rows of transactions that the new cluster has yet to come to.
  cluster bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment)
);
CALL tollgate.protect_tenant_table('tollgate.usage_rollups', 'SELECT');
GRANT INSERT, UPDATE ON tollgate.usage_rollups TO tollgate_worker;

-- Quarters of an hour, because the hours of some zones begin at one. quantity: net of what was reversed. events: uses,
-- reversed ones too. customer_id '': of all customers; feature_id '': of all features, of all customers only.
CREATE TABLE tollgate.usage_quarters (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  quarter timestamptz NOT NULL,
  quantity numeric NOT NULL,
  events bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, customer_id, feature_id, quarter)
) WITH (fillfactor = 90);
CALL tollgate.protect_tenant_table('tollgate.usage_quarters', 'SELECT');
GRANT INSERT, UPDATE, DELETE ON tollgate.usage_quarters TO tollgate_worker;

-- UTC days by customer, to find the largest of many. feature_id '': of all features.
CREATE TABLE tollgate.usage_customer_days (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  day timestamptz NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  quantity numeric NOT NULL,
  events bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, feature_id, day, customer_id)
) WITH (fillfactor = 80);
CALL tollgate.protect_tenant_table('tollgate.usage_customer_days', 'SELECT');
GRANT INSERT, UPDATE, DELETE ON tollgate.usage_customer_days TO tollgate_worker;

-- A feature's dimension, and since when: uses of this transaction and of later ones are told apart by it. One that is
-- dropped stays until its sums are gone; declared again, it is another one.
CREATE TABLE tollgate.usage_dimensions (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  feature_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  since xid8 NOT NULL DEFAULT pg_current_xact_id(),
  dropped boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features (workspace_id, environment, id)
);
CREATE UNIQUE INDEX usage_dimensions_name ON tollgate.usage_dimensions (workspace_id, environment, feature_id, name)
  WHERE NOT dropped;
CALL tollgate.protect_tenant_table('tollgate.usage_dimensions', 'SELECT');
GRANT INSERT (workspace_id, environment, feature_id, name), UPDATE (dropped) ON tollgate.usage_dimensions TO tollgate_app;
GRANT UPDATE (since), DELETE ON tollgate.usage_dimensions TO tollgate_worker;

-- The values that are told apart, numbered from 1 as they came; those beyond the last number have the number 0.
CREATE TABLE tollgate.usage_values (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  dimension_id bigint NOT NULL,
  number integer NOT NULL,
  -- NULL where it was erased with the customers that alone had it; the number is not given again.
  value text COLLATE "C",
  PRIMARY KEY (workspace_id, environment, dimension_id, number),
  UNIQUE (workspace_id, environment, dimension_id, value)
);
CALL tollgate.protect_tenant_table('tollgate.usage_values', 'SELECT');
GRANT INSERT, UPDATE, DELETE ON tollgate.usage_values TO tollgate_worker;

-- number -1: of all values together, of all customers only. What has no value is what is left of the feature's sum.
CREATE TABLE tollgate.usage_value_quarters (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  dimension_id bigint NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  quarter timestamptz NOT NULL,
  quantity numeric NOT NULL,
  events bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, dimension_id, customer_id, number, quarter)
) WITH (fillfactor = 90);
CALL tollgate.protect_tenant_table('tollgate.usage_value_quarters', 'SELECT');
GRANT INSERT, UPDATE, DELETE ON tollgate.usage_value_quarters TO tollgate_worker;

CREATE TABLE tollgate.usage_value_days (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  dimension_id bigint NOT NULL,
  day timestamptz NOT NULL,
  number integer NOT NULL,
  quantity numeric NOT NULL,
  events bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, dimension_id, day, number)
) WITH (fillfactor = 80);
CALL tollgate.protect_tenant_table('tollgate.usage_value_days', 'SELECT');
GRANT INSERT, UPDATE, DELETE ON tollgate.usage_value_days TO tollgate_worker;

-- Late uses are few, and are looked for among many. docs/upgrade.md says how to build it beforehand.
CREATE INDEX usage_events_late ON tollgate.usage_events
  (workspace_id, environment, (CASE WHEN used_at IS NULL THEN recorded_at ELSE used_at END), id) WHERE late;

-- A rebuild after a restored dump makes them rows of no transaction of this cluster.
GRANT UPDATE (transaction_id) ON tollgate.usage_events TO tollgate_worker;
GRANT UPDATE (transaction_id) ON tollgate.usage_reversals TO tollgate_worker;

-- The environments with something that is not in their sums yet, and since when (the workspace's time). The newest
-- transaction decides, which an index has at its end; where there is no news, nothing else is read.
CREATE POLICY lookup ON tollgate.usage_events FOR SELECT TO tollgate_lookup USING (true);
CREATE POLICY lookup ON tollgate.usage_reversals FOR SELECT TO tollgate_lookup USING (true);
CREATE POLICY lookup ON tollgate.usage_rollups FOR SELECT TO tollgate_lookup USING (true);
CREATE POLICY lookup ON tollgate.usage_dimensions FOR SELECT TO tollgate_lookup USING (true);
GRANT SELECT (workspace_id, environment, transaction_id, recorded_at) ON tollgate.usage_events TO tollgate_lookup;
GRANT SELECT (workspace_id, environment, transaction_id, reversed_at) ON tollgate.usage_reversals TO tollgate_lookup;
GRANT SELECT (workspace_id, environment, watermark, earlier_after) ON tollgate.usage_rollups TO tollgate_lookup;
GRANT SELECT (workspace_id, environment, dropped) ON tollgate.usage_dimensions TO tollgate_lookup;

CREATE FUNCTION tollgate.find_usage_to_roll_up()
  RETURNS TABLE (workspace_id text, environment text, since timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog SET enable_seqscan = off SET enable_bitmapscan = off
  AS $$
    SELECT n.workspace_id, n.environment,
           CASE WHEN n.has_uses OR n.has_reversals OR n.has_earlier THEN LEAST(
             (SELECT e.recorded_at FROM tollgate.usage_events e
               WHERE n.has_uses AND e.workspace_id = n.workspace_id AND e.environment = n.environment
                 AND e.transaction_id >= n.watermark ORDER BY e.transaction_id LIMIT 1),
             (SELECT r.reversed_at FROM tollgate.usage_reversals r
               WHERE n.has_reversals AND r.workspace_id = n.workspace_id AND r.environment = n.environment
                 AND r.transaction_id >= n.watermark ORDER BY r.transaction_id LIMIT 1)) END
      FROM (
        SELECT s.workspace_id, s.environment, s.watermark,
               COALESCE((SELECT max(e.transaction_id) FROM tollgate.usage_events e
                          WHERE e.workspace_id = s.workspace_id AND e.environment = s.environment) >= s.watermark, false) AS has_uses,
               COALESCE((SELECT max(r.transaction_id) FROM tollgate.usage_reversals r
                          WHERE r.workspace_id = s.workspace_id AND r.environment = s.environment) >= s.watermark, false) AS has_reversals,
               s.earlier AND EXISTS (SELECT FROM tollgate.usage_events e WHERE e.workspace_id = s.workspace_id
                          AND e.environment = s.environment) AS has_earlier,
               EXISTS (SELECT FROM tollgate.usage_dimensions d WHERE d.workspace_id = s.workspace_id
                          AND d.environment = s.environment AND d.dropped) AS has_dropped
          FROM (SELECT o.workspace_id, v.environment, COALESCE(u.watermark, '0'::xid8) AS watermark,
                       u.workspace_id IS NULL OR u.earlier_after IS NOT NULL AS earlier
                  FROM tollgate.organizations o CROSS JOIN (VALUES ('sandbox'), ('production')) AS v (environment)
                  LEFT JOIN tollgate.usage_rollups u ON u.workspace_id = o.workspace_id AND u.environment = v.environment) AS s
      ) AS n
     WHERE n.has_uses OR n.has_reversals OR n.has_earlier OR n.has_dropped $$;
ALTER FUNCTION tollgate.find_usage_to_roll_up() OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.find_usage_to_roll_up() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.find_usage_to_roll_up() TO tollgate_worker;
