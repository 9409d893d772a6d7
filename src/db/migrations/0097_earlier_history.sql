-- For 0098, which reads the history of all tenants while the service writes to it. 0099 drops it. It is a migration of
-- its own, because it locks the history: for a moment, not together with the subscriptions.
CREATE POLICY earlier ON tollgate.subscription_history FOR SELECT TO tollgate_owner USING (true);
