-- Quota that is not used stays for later usage periods, as far as an entitlement says.
ALTER TABLE tollgate.plan_entitlements
  -- Usage periods after its own in which unused quota may be used.
  ADD COLUMN rollover_periods integer NOT NULL DEFAULT 0 CHECK (rollover_periods BETWEEN 0 AND 36),
  -- Units of earlier periods that may be used in one period; null: all.
  ADD COLUMN rollover_max numeric CHECK (rollover_max > 0),
  -- Whether they are used before the period's own quota.
  ADD COLUMN rollover_first boolean NOT NULL DEFAULT false;

ALTER TABLE tollgate.usage_counters
  -- Units of earlier periods' quotas that this period has used.
  ADD COLUMN rollover_used numeric NOT NULL DEFAULT 0 CHECK (rollover_used >= 0),
  -- Units of this period's quota that later periods have used.
  ADD COLUMN used_later numeric NOT NULL DEFAULT 0 CHECK (used_later >= 0);

-- What an entitlement gave a subscription until a change, where unused quota stays before or after it.
CREATE TABLE tollgate.former_entitlement_terms (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  -- The workspace's time.
  until timestamptz NOT NULL,
  -- null: unlimited. For each seat where per_seat says so.
  quota numeric,
  per_seat boolean NOT NULL,
  seats integer NOT NULL,
  reset_interval text NOT NULL,
  rolls_over boolean NOT NULL,
  PRIMARY KEY (workspace_id, environment, subscription_id, feature_id, until),
  FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions (workspace_id, environment, id)
);
CALL tollgate.protect_tenant_table('tollgate.former_entitlement_terms', 'SELECT', 'INSERT');

-- Kept by the database, because whoever changes a plan, seats or an entitlement must not forget it. Where the rhythm of
-- the periods changes as well, nothing of before it stays.
CREATE FUNCTION tollgate.keep_terms_of_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tollgate.former_entitlement_terms
    (workspace_id, environment, subscription_id, feature_id, until, quota, per_seat, seats, reset_interval, rolls_over)
  SELECT OLD.workspace_id, OLD.environment, OLD.id, f.feature_id, NEW.updated_at,
         CASE WHEN o.id IS NULL THEN 0 ELSE o.quota END, coalesce(o.per_seat, false), OLD.seats,
         coalesce(o.reset_interval, 'never'),
         coalesce(o.rollover_periods > 0, false)
           AND (OLD.billing_anchor, OLD.billing_interval, OLD.time_zone, OLD.started_at)
             = (NEW.billing_anchor, NEW.billing_interval, NEW.time_zone, NEW.started_at)
    FROM (SELECT DISTINCT e.feature_id FROM tollgate.plan_entitlements e
           WHERE e.workspace_id = OLD.workspace_id AND e.environment = OLD.environment
             AND e.plan_id IN (OLD.plan_id, NEW.plan_id) AND e.rollover_periods > 0) f
    LEFT JOIN tollgate.plan_entitlements o
      ON o.workspace_id = OLD.workspace_id AND o.environment = OLD.environment AND o.plan_id = OLD.plan_id
     AND o.feature_id = f.feature_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER keep_terms AFTER UPDATE ON tollgate.subscriptions FOR EACH ROW
  WHEN ((OLD.plan_id, OLD.seats, OLD.billing_anchor, OLD.billing_interval, OLD.time_zone, OLD.started_at)
        IS DISTINCT FROM
        (NEW.plan_id, NEW.seats, NEW.billing_anchor, NEW.billing_interval, NEW.time_zone, NEW.started_at))
  EXECUTE FUNCTION tollgate.keep_terms_of_subscription();

CREATE FUNCTION tollgate.keep_terms_of_entitlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tollgate.former_entitlement_terms
    (workspace_id, environment, subscription_id, feature_id, until, quota, per_seat, seats, reset_interval, rolls_over)
  SELECT NEW.workspace_id, NEW.environment, s.id, NEW.feature_id, NEW.updated_at,
         CASE WHEN TG_OP = 'INSERT' THEN 0 ELSE OLD.quota END,
         CASE WHEN TG_OP = 'INSERT' THEN false ELSE OLD.per_seat END, s.seats,
         CASE WHEN TG_OP = 'INSERT' THEN NEW.reset_interval ELSE OLD.reset_interval END,
         CASE WHEN TG_OP = 'INSERT' THEN false ELSE OLD.rollover_periods > 0 END
    FROM tollgate.subscriptions s
   WHERE s.workspace_id = NEW.workspace_id AND s.environment = NEW.environment AND s.plan_id = NEW.plan_id
     AND s.status IN ('trialing', 'active', 'past_due')
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER keep_terms_of_new AFTER INSERT ON tollgate.plan_entitlements FOR EACH ROW
  WHEN (NEW.rollover_periods > 0) EXECUTE FUNCTION tollgate.keep_terms_of_entitlement();
CREATE TRIGGER keep_terms AFTER UPDATE ON tollgate.plan_entitlements FOR EACH ROW
  WHEN ((OLD.rollover_periods > 0 OR NEW.rollover_periods > 0)
        AND (OLD.quota, OLD.per_seat, OLD.reset_interval, OLD.rollover_periods > 0)
            IS DISTINCT FROM (NEW.quota, NEW.per_seat, NEW.reset_interval, NEW.rollover_periods > 0))
  EXECUTE FUNCTION tollgate.keep_terms_of_entitlement();
REVOKE ALL ON FUNCTION tollgate.keep_terms_of_subscription(), tollgate.keep_terms_of_entitlement() FROM PUBLIC;
