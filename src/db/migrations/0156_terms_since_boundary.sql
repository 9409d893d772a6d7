-- A scheduled change counts from its boundary, however late its step runs. An edit in the meantime has kept terms of
-- the plan and seats before, as if they had applied beyond the boundary. These become the terms of the change.
CREATE OR REPLACE FUNCTION tollgate.keep_terms_of_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tollgate.former_entitlement_terms
    (workspace_id, environment, subscription_id, feature_id, until, quota, per_seat, seats, reset_interval, rolls_over)
  SELECT OLD.workspace_id, OLD.environment, OLD.id, f.feature_id, NEW.updated_at,
         CASE WHEN k.until IS NOT NULL THEN k.quota WHEN o.id IS NULL THEN 0 ELSE o.quota END,
         coalesce(k.per_seat, o.per_seat, false), coalesce(k.seats, OLD.seats),
         coalesce(k.reset_interval, o.reset_interval, 'never'),
         coalesce(k.rolls_over, o.rollover_periods > 0, false)
           AND (OLD.billing_anchor, OLD.billing_interval, OLD.time_zone, OLD.started_at)
             = (NEW.billing_anchor, NEW.billing_interval, NEW.time_zone, NEW.started_at)
    FROM (SELECT DISTINCT e.feature_id FROM tollgate.plan_entitlements e
           WHERE e.workspace_id = OLD.workspace_id AND e.environment = OLD.environment
             AND e.plan_id IN (OLD.plan_id, NEW.plan_id) AND e.rollover_periods > 0) f
    LEFT JOIN tollgate.plan_entitlements o
      ON o.workspace_id = OLD.workspace_id AND o.environment = OLD.environment AND o.plan_id = OLD.plan_id
     AND o.feature_id = f.feature_id
    LEFT JOIN LATERAL (
      SELECT t.until, t.quota, t.per_seat, t.seats, t.reset_interval, t.rolls_over
        FROM tollgate.former_entitlement_terms t
       WHERE t.workspace_id = OLD.workspace_id AND t.environment = OLD.environment AND t.subscription_id = OLD.id
         AND t.feature_id = f.feature_id AND t.until > NEW.updated_at
       ORDER BY t.until LIMIT 1) k ON true
  ON CONFLICT DO NOTHING;
  IF OLD.seats <> NEW.seats THEN
    UPDATE tollgate.former_entitlement_terms t SET seats = NEW.seats
     WHERE t.workspace_id = NEW.workspace_id AND t.environment = NEW.environment AND t.subscription_id = NEW.id
       AND t.until > NEW.updated_at;
  END IF;
  IF OLD.plan_id <> NEW.plan_id THEN
    UPDATE tollgate.former_entitlement_terms t
       SET quota = CASE WHEN n.id IS NULL THEN 0 ELSE n.quota END, per_seat = coalesce(n.per_seat, false),
           reset_interval = coalesce(n.reset_interval, 'never'), rolls_over = coalesce(n.rollover_periods > 0, false)
      FROM tollgate.former_entitlement_terms k
      LEFT JOIN tollgate.plan_entitlements n
        ON n.workspace_id = k.workspace_id AND n.environment = k.environment AND n.plan_id = NEW.plan_id
       AND n.feature_id = k.feature_id
     WHERE k.workspace_id = NEW.workspace_id AND k.environment = NEW.environment AND k.subscription_id = NEW.id
       AND k.until > NEW.updated_at
       AND t.workspace_id = k.workspace_id AND t.environment = k.environment AND t.subscription_id = k.subscription_id
       AND t.feature_id = k.feature_id AND t.until = k.until;
  END IF;
  RETURN NULL;
END
$$;
GRANT UPDATE (quota, per_seat, seats, reset_interval, rolls_over) ON tollgate.former_entitlement_terms TO tollgate_runtime;
