-- A customer's users, projects or whatever else it tells apart: what each has used, and a quota for each.

-- Entities a plan allows a customer; null: any number.
ALTER TABLE tollgate.plans ADD COLUMN entity_limit integer CHECK (entity_limit BETWEEN 1 AND 100000);

-- Units a period for each entity. `quota` is then the pool of all of them; where it is null, there is no pool.
ALTER TABLE tollgate.plan_entitlements ADD COLUMN entity_quota numeric CHECK (entity_quota >= 0);

-- What a customer has told apart so far: made by the first use of each.
CREATE TABLE tollgate.customer_entities (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  -- The workspace's time.
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, customer_id, entity),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id)
);
-- The condition holds for every row: it keeps the hot path's plans from this index (docs/decisions/usage-plans.md).
CREATE INDEX customer_entities_newest ON tollgate.customer_entities
  (workspace_id, environment, customer_id, created_at, entity) WHERE created_at IS NOT NULL;
CALL tollgate.protect_tenant_table('tollgate.customer_entities', 'SELECT', 'INSERT', 'DELETE');

-- What one entity has used in a usage period, by what covered it. The customer's counter has the sum.
CREATE TABLE tollgate.entity_counters (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  reset_interval text COLLATE "C" NOT NULL,
  period_start timestamptz NOT NULL,
  quota_used numeric NOT NULL DEFAULT 0 CHECK (quota_used >= 0),
  rollover_used numeric NOT NULL DEFAULT 0 CHECK (rollover_used >= 0),
  credit_used numeric NOT NULL DEFAULT 0 CHECK (credit_used >= 0),
  overage_used numeric NOT NULL DEFAULT 0 CHECK (overage_used >= 0),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, customer_id, feature_id, entity, subscription_id, reset_interval, period_start),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions (workspace_id, environment, id)
);
CALL tollgate.protect_tenant_table('tollgate.entity_counters', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');
