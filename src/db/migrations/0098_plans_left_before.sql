-- Plans that subscriptions had until now. Each entry in the history of a subscription names the plan that it had after
-- it. Entries are never deleted, and an erasure keeps their ids. What cannot be known: which plans have been deleted,
-- and which terms have been changed, after everyone had left the plan.
INSERT INTO tollgate.plans_once_subscribed (workspace_id, environment, plan_id)
SELECT DISTINCT h.workspace_id, h.environment, h.data ->> 'planId'
  FROM tollgate.subscription_history h
 WHERE h.data ->> 'planId' IS NOT NULL
ON CONFLICT DO NOTHING;
