-- The indexes of 0084 replace these, which the planner would otherwise choose. They are dropped in a migration of their
-- own, because that locks out reads of the audit record: for a moment, not while the others are built.
DROP INDEX IF EXISTS tollgate.audit_records_newest;
DROP INDEX IF EXISTS tollgate.audit_records_action;
DROP INDEX IF EXISTS tollgate.audit_records_operator;
