-- Units that are held for a use that is under way. What has expired holds nothing, whatever its status says.
CREATE TABLE tollgate.usage_reservations (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  entity text COLLATE "C",
  quantity numeric NOT NULL CHECK (quantity > 0),
  -- Where the units are held, as a use's event says where they were taken.
  deductions json NOT NULL,
  status text NOT NULL CHECK (status IN ('held', 'confirmed', 'released')),
  -- The workspace's time.
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- The use that confirmed it.
  event_id text COLLATE "C",
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features (workspace_id, environment, id),
  CHECK ((status = 'held') = (ended_at IS NULL)),
  CHECK ((status = 'confirmed') = (event_id IS NOT NULL))
);
-- Read by each check and track.
CREATE INDEX usage_reservations_held ON tollgate.usage_reservations (workspace_id, environment, customer_id, expires_at)
  WHERE status = 'held';
-- Lists of a customer, and what maintenance deletes a month after its end. The conditions hold for every row: they keep
-- the hot path's plans from these indexes (docs/decisions/usage-plans.md).
CREATE INDEX usage_reservations_customer ON tollgate.usage_reservations
  (workspace_id, environment, customer_id, created_at, id) WHERE created_at IS NOT NULL;
CREATE INDEX usage_reservations_expiry ON tollgate.usage_reservations (workspace_id, environment, expires_at)
  WHERE quantity IS NOT NULL;
CALL tollgate.protect_tenant_table('tollgate.usage_reservations', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');
