-- The records of the organization as a whole, which each environment's list includes. Postgres takes no order from an
-- index whose column IS NULL: it read and sorted all of them.
CREATE INDEX IF NOT EXISTS audit_records_organization ON tollgate.audit_records (workspace_id, created_at, id)
  WHERE environment IS NULL;
