-- The lists of a customer's and a feature's uses need no tenant in their index: ids are of one tenant. Without it a track
-- writes and compares half as much. docs/upgrade.md says how to build these beforehand, beside the running service.
DROP INDEX tollgate.usage_events_customer;
DROP INDEX tollgate.usage_events_feature;
CREATE INDEX usage_events_customer ON tollgate.usage_events
  (customer_id, (CASE WHEN used_at IS NULL THEN recorded_at ELSE used_at END), id);
CREATE INDEX usage_events_feature ON tollgate.usage_events
  (feature_id, (CASE WHEN used_at IS NULL THEN recorded_at ELSE used_at END), id);
