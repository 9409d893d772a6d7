-- A scheduled change counts from its boundary, however late its step runs. If an entitlement of the plan before was
-- edited in the meantime, the terms at the boundary are those from before that edit, which the edit has kept.
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
  RETURN NULL;
END
$$;
