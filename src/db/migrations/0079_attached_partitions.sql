-- Attaches a day's partition instead of creating it in place, which locks the whole table against writes: while the
-- default partition holds rows, Postgres reads all of them under that lock, on each day. Attaching locks only the
-- default partition, to which nothing is written once a day has a partition.
CREATE OR REPLACE FUNCTION tollgate.make_developer_event_partition(day date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  partition_name text := 'developer_events_' || to_char(day, 'YYYYMMDD');
BEGIN
  IF to_regclass('tollgate.' || partition_name) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE tollgate.%I (LIKE tollgate.developer_events INCLUDING ALL)', partition_name);
  EXECUTE format('ALTER TABLE tollgate.%I ENABLE ROW LEVEL SECURITY', partition_name);
  EXECUTE format('ALTER TABLE tollgate.%I FORCE ROW LEVEL SECURITY', partition_name);
  EXECUTE format('ALTER TABLE tollgate.developer_events ATTACH PARTITION tollgate.%I FOR VALUES FROM (%L) TO (%L)',
    partition_name, day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
  RETURN true;
END
$$;
