-- As 0083, for the webhooks that failed.
CREATE INDEX IF NOT EXISTS webhook_failures_kind ON tollgate.webhook_failures (workspace_id, environment, kind, first_at, id);
