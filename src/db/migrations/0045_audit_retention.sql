-- What strangers cause is recorded, and must not fill the disk. The owner, as whom `maintain` acts, sees and deletes of
-- the platform's audit what is older than thirty days, and no role of the service anything.
CREATE POLICY retention_read ON tollgate.platform_audit FOR SELECT TO tollgate_owner USING (created_at < now() - interval '30 days');
CREATE POLICY retention ON tollgate.platform_audit FOR DELETE TO tollgate_owner USING (created_at < now() - interval '30 days');
CREATE POLICY young ON tollgate.platform_audit AS RESTRICTIVE FOR DELETE TO tollgate_owner USING (created_at < now() - interval '30 days');
-- A tenant's failed webhooks are deleted tenant by tenant.
GRANT DELETE ON tollgate.webhook_failures TO tollgate_worker;
