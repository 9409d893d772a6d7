-- What a plan cost, and what it was called, at a connection before either was changed: who subscribed then may keep that
-- price at the payment provider for good. A row says that the plan was named `reference` while it cost `amount` (minor
-- units); what it is called and costs now stands with the connection and the plan.
CREATE TABLE tollgate.former_plan_prices (
  workspace_id  text COLLATE "C" NOT NULL,
  environment   tollgate.environment_name NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  plan_id       text COLLATE "C" NOT NULL,
  reference     text COLLATE "C" NOT NULL,
  amount        bigint NOT NULL CHECK (amount >= 0),
  left_at       timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, connection_id, plan_id, reference, amount),
  FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, plan_id) REFERENCES tollgate.plans (workspace_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX former_plan_prices_plan ON tollgate.former_plan_prices (workspace_id, environment, plan_id);
CALL tollgate.protect_tenant_table('tollgate.former_plan_prices', 'SELECT', 'INSERT');
