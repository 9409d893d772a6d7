-- Events that were written while their day had no partition expire too: `maintain` deletes them tenant by tenant, as a
-- worker. No event of the last day is deleted, which is the shortest retention that can be set.
GRANT SELECT (workspace_id, environment, created_at, id), DELETE ON tollgate.developer_events_default TO tollgate_worker;
CREATE POLICY tenant ON tollgate.developer_events_default FOR SELECT TO tollgate_worker
  USING (workspace_id = (SELECT tollgate.workspace_id()) AND environment = (SELECT tollgate.environment()));
CREATE POLICY retention ON tollgate.developer_events_default FOR DELETE TO tollgate_worker
  USING (workspace_id = (SELECT tollgate.workspace_id()) AND environment = (SELECT tollgate.environment())
    AND created_at < now() - interval '1 day');
-- Its size tells whether it holds rows, so the pages of the deleted ones are given back, however few they are.
ALTER TABLE tollgate.developer_events_default SET (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
