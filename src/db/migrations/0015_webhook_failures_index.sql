-- The list of failed deliveries, newest first.
CREATE INDEX webhook_failures_newest ON tollgate.webhook_failures (workspace_id, environment, first_at, id);
