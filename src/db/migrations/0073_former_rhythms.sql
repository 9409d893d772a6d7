-- How a subscription's billing periods were counted before: a use that is reported late counts in the usage period of
-- its time, also after a change of interval or of the anchor.
ALTER TABLE tollgate.subscriptions
  -- [{"until", "billingAnchor", "timeZone", "interval"}], oldest first, instants in epoch milliseconds; each held until
  -- the start of the first period that was counted otherwise. Null: always as now.
  ADD COLUMN former_rhythms jsonb;

-- Kept by the database, because whoever moves an anchor must not forget it. What would have held for no time is left
-- out, as where the trial that a provider moved goes on; so is all but the latest twenty.
CREATE FUNCTION tollgate.keep_rhythm() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  begun CONSTANT bigint := extract(epoch FROM NEW.started_at) * 1000;
  boundary CONSTANT bigint := extract(epoch FROM NEW.current_period_start) * 1000;
BEGIN
  NEW.former_rhythms := (
    SELECT jsonb_agg(k.rhythm ORDER BY k.place) FROM (
      SELECT jsonb_set(f.rhythm, '{until}', to_jsonb(least((f.rhythm ->> 'until')::bigint, boundary))) AS rhythm, f.place
        FROM (SELECT e.rhythm, e.place, lag((e.rhythm ->> 'until')::bigint, 1, begun) OVER (ORDER BY e.place) AS held_from
                FROM jsonb_array_elements(coalesce(OLD.former_rhythms, '[]') || jsonb_build_object(
                       'until', boundary, 'billingAnchor', (extract(epoch FROM OLD.billing_anchor) * 1000)::bigint,
                       'timeZone', OLD.time_zone, 'interval', OLD.billing_interval))
                     WITH ORDINALITY AS e (rhythm, place)) f
       WHERE f.held_from < boundary
       ORDER BY f.place DESC LIMIT 20) k);
  RETURN NEW;
END
$$;
CREATE TRIGGER keep_rhythm BEFORE UPDATE ON tollgate.subscriptions FOR EACH ROW
  WHEN ((OLD.billing_anchor, OLD.billing_interval, OLD.time_zone)
        IS DISTINCT FROM (NEW.billing_anchor, NEW.billing_interval, NEW.time_zone))
  EXECUTE FUNCTION tollgate.keep_rhythm();
REVOKE ALL ON FUNCTION tollgate.keep_rhythm() FROM PUBLIC;
