-- The events of a request are looked up until the command that it submitted has ended.
CREATE INDEX IF NOT EXISTS operations_request ON tollgate.operations (workspace_id, environment, request_id);
