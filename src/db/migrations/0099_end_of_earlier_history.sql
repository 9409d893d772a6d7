-- Of 0097. In a migration of its own, because it locks the history, and a change of plan that waits for a row of 0098
-- has written to it.
DROP POLICY earlier ON tollgate.subscription_history;
