-- The history that integrators and operators read. Partitioned by the time of recording (real time, also in a
-- sandbox whose clock was advanced): partitions are made ahead and dropped after the retention by the
-- maintenance command (src/main/maintain.ts) under the migrator's role.
CREATE SEQUENCE tollgate.developer_event_sequence AS bigint CACHE 1;
GRANT USAGE ON SEQUENCE tollgate.developer_event_sequence TO tollgate_runtime;

CREATE TABLE tollgate.developer_events (
  workspace_id   text COLLATE "C" NOT NULL,
  environment    tollgate.environment_name NOT NULL,
  id             text COLLATE "C" NOT NULL,
  type           text COLLATE "C" NOT NULL,
  status         text COLLATE "C" NOT NULL,
  message        text NOT NULL,
  source         text NOT NULL,
  data           json NOT NULL,
  created_at     timestamptz NOT NULL,
  -- The stream reads below pg_snapshot_xmin in this order, so that a row that commits late is not skipped.
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  sequence       bigint NOT NULL DEFAULT nextval('tollgate.developer_event_sequence'),
  PRIMARY KEY (workspace_id, environment, created_at, id)
) PARTITION BY RANGE (created_at);
CREATE INDEX developer_events_stream ON tollgate.developer_events (workspace_id, environment, transaction_id, sequence);
CREATE INDEX developer_events_status ON tollgate.developer_events (workspace_id, environment, status, created_at, id)
  WHERE status <> 'OK';
CREATE INDEX developer_events_type ON tollgate.developer_events (workspace_id, environment, type, created_at, id)
  WHERE type NOT IN ('USAGE_CHECKED', 'USAGE_TRACKED');
CALL tollgate.protect_tenant_table('tollgate.developer_events', 'SELECT', 'INSERT');

-- Makes the partition that holds one day (UTC), if it is missing. Days keep a partition small enough to drop
-- in an instant. Returns true when it made one.
CREATE FUNCTION tollgate.make_developer_event_partition(day date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  partition_name text := 'developer_events_' || to_char(day, 'YYYYMMDD');
BEGIN
  IF to_regclass('tollgate.' || partition_name) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE tollgate.%I PARTITION OF tollgate.developer_events FOR VALUES FROM (%L) TO (%L)',
    partition_name, day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
  EXECUTE format('ALTER TABLE tollgate.%I ENABLE ROW LEVEL SECURITY', partition_name);
  EXECUTE format('ALTER TABLE tollgate.%I FORCE ROW LEVEL SECURITY', partition_name);
  RETURN true;
END
$$;
REVOKE ALL ON FUNCTION tollgate.make_developer_event_partition(date) FROM PUBLIC;

-- A safety net for a deployment whose maintenance has stopped: no acknowledged event is refused for want of a
-- partition. The maintenance command moves nothing out of it; it reports when it is not empty.
CREATE TABLE tollgate.developer_events_default PARTITION OF tollgate.developer_events DEFAULT;
ALTER TABLE tollgate.developer_events_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE tollgate.developer_events_default FORCE ROW LEVEL SECURITY;
