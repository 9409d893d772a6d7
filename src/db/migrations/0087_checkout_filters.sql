-- As 0083, for the checkouts.
CREATE INDEX IF NOT EXISTS checkouts_status ON tollgate.checkouts (workspace_id, environment, status, created_at, id);
CREATE INDEX IF NOT EXISTS checkouts_kind ON tollgate.checkouts (workspace_id, environment, kind, created_at, id);
CREATE INDEX IF NOT EXISTS checkouts_provider ON tollgate.checkouts (workspace_id, environment, provider, created_at, id);
