-- A subscription's open commands, by order of acceptance: an outage leaves many, and each command asks for those before it.
CREATE INDEX operations_accepted ON tollgate.operations (workspace_id, environment, subscription_id, created_at, id)
  WHERE status = 'accepted';
