-- Filters of lists, newest first, as in 0077. They cover every value, unlike those of 0077, because a prepared statement
-- whose plan holds for any value cannot use an index with a condition on the value.
-- Those of other tables follow in 0087 and 0088, so that a command does not wait until all are built.
CREATE INDEX IF NOT EXISTS operations_status ON tollgate.operations (workspace_id, environment, status, created_at, id);
CREATE INDEX IF NOT EXISTS operations_kind ON tollgate.operations (workspace_id, environment, kind, created_at, id);
