-- What a plan cost, and how a workspace taxed, until an instant (the workspace's time): a renewal that is taken late
-- charges what held at its boundary. A row is what held before its `until`, back to that of the row before it.
CREATE TABLE tollgate.earlier_plan_prices (
  workspace_id text COLLATE "C" NOT NULL,
  environment  tollgate.environment_name NOT NULL,
  plan_id      text COLLATE "C" NOT NULL,
  until        timestamptz NOT NULL,
  amount       bigint NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (workspace_id, environment, plan_id, until),
  FOREIGN KEY (workspace_id, environment, plan_id) REFERENCES tollgate.plans (workspace_id, environment, id) ON DELETE CASCADE
);
CALL tollgate.protect_tenant_table('tollgate.earlier_plan_prices', 'SELECT', 'INSERT');

CREATE TABLE tollgate.earlier_tax_settings (
  workspace_id text COLLATE "C" NOT NULL,
  environment  tollgate.environment_name NOT NULL,
  until        timestamptz NOT NULL,
  tax_behavior text NOT NULL,
  tax_rates    jsonb NOT NULL,
  PRIMARY KEY (workspace_id, environment, until),
  FOREIGN KEY (workspace_id, environment) REFERENCES tollgate.workspace_settings (workspace_id, environment) ON DELETE CASCADE
);
CALL tollgate.protect_tenant_table('tollgate.earlier_tax_settings', 'SELECT', 'INSERT');
