-- The audit record is listed by environment. Without it in the index, the list of an environment with few records reads
-- those of the other one.
CREATE INDEX IF NOT EXISTS audit_records_environment ON tollgate.audit_records (workspace_id, environment, created_at, id);
CREATE INDEX IF NOT EXISTS audit_records_environment_action
  ON tollgate.audit_records (workspace_id, environment, action, created_at, id);
CREATE INDEX IF NOT EXISTS audit_records_environment_operator
  ON tollgate.audit_records (workspace_id, environment, operator_id, created_at, id) WHERE operator_id IS NOT NULL;
