-- Filters of the audit record, newest first, as in 0077. Its rows are kept.
CREATE INDEX IF NOT EXISTS audit_records_action ON tollgate.audit_records (workspace_id, action, created_at, id);

CREATE INDEX IF NOT EXISTS audit_records_operator ON tollgate.audit_records (workspace_id, operator_id, created_at, id)
  WHERE operator_id IS NOT NULL;

CREATE INDEX IF NOT EXISTS audit_records_api_key ON tollgate.audit_records (workspace_id, api_key_id, created_at, id)
  WHERE api_key_id IS NOT NULL;
