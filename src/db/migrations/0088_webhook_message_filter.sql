-- As 0083, for the messages to integrators.
CREATE INDEX IF NOT EXISTS webhook_messages_type ON tollgate.webhook_messages (workspace_id, environment, type, created_at, id);
