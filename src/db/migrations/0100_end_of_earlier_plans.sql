-- Of 0096. In a migration of its own, because it locks the table, which a change of plan may write before the history
-- or after it.
DROP POLICY earlier ON tollgate.plans_once_subscribed;
