-- Who made or changed one thing: the review of what a member who leaves has made asks for it.
CREATE INDEX audit_records_target ON tollgate.audit_records (workspace_id, target);
