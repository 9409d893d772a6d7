-- The list of an environment's commands, newest first.
CREATE INDEX operations_newest ON tollgate.operations (workspace_id, environment, created_at, id);
