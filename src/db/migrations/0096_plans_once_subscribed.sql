-- Plans that a subscription has left. Their terms are fixed and they are not deleted, as those of plans that have
-- subscriptions. They are no column of the plans and do not refer to them, because a change of plan holds a share of
-- the new plan: if it locked the old one too, changes in opposite directions could wait for each other.
CREATE TABLE tollgate.plans_once_subscribed (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, environment, plan_id)
);
CALL tollgate.protect_tenant_table('tollgate.plans_once_subscribed', 'SELECT', 'INSERT');
-- For 0098. 0100 drops it.
CREATE POLICY earlier ON tollgate.plans_once_subscribed TO tollgate_owner USING (true) WITH CHECK (true);

-- Kept by the database, because commands, renewals and payment providers change the plan of a subscription.
CREATE FUNCTION tollgate.keep_plan_of_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tollgate.plans_once_subscribed (workspace_id, environment, plan_id)
  VALUES (OLD.workspace_id, OLD.environment, OLD.plan_id)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION tollgate.keep_plan_of_subscription() FROM PUBLIC;
CREATE TRIGGER keep_plan AFTER UPDATE ON tollgate.subscriptions FOR EACH ROW
  WHEN (OLD.plan_id IS DISTINCT FROM NEW.plan_id)
  EXECUTE FUNCTION tollgate.keep_plan_of_subscription();
