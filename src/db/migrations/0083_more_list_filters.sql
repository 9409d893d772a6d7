-- Filters of lists, newest first, as in 0077. They cover every value, unlike those of 0077, because a prepared statement
-- whose plan holds for any value cannot use an index with a condition on the value.
CREATE INDEX IF NOT EXISTS operations_status ON tollgate.operations (workspace_id, environment, status, created_at, id);
CREATE INDEX IF NOT EXISTS operations_kind ON tollgate.operations (workspace_id, environment, kind, created_at, id);
CREATE INDEX IF NOT EXISTS checkouts_status ON tollgate.checkouts (workspace_id, environment, status, created_at, id);
CREATE INDEX IF NOT EXISTS checkouts_kind ON tollgate.checkouts (workspace_id, environment, kind, created_at, id);
CREATE INDEX IF NOT EXISTS checkouts_provider ON tollgate.checkouts (workspace_id, environment, provider, created_at, id);
CREATE INDEX IF NOT EXISTS webhook_messages_type ON tollgate.webhook_messages (workspace_id, environment, type, created_at, id);
