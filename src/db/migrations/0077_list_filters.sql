-- Filters of lists, newest first. Without these, a page of a value that few rows have reads all rows of the workspace.
-- Large ones can be built beforehand, concurrently, under the same names (docs/upgrade.md).

-- A provider's webhook about a customer also looks for its checkouts.
CREATE INDEX IF NOT EXISTS checkouts_customer ON tollgate.checkouts (workspace_id, environment, customer_id, created_at, id);

CREATE INDEX IF NOT EXISTS operations_subscription
  ON tollgate.operations (workspace_id, environment, subscription_id, created_at, id);

CREATE INDEX IF NOT EXISTS subscriptions_provider
  ON tollgate.subscriptions (workspace_id, environment, provider, created_at, id);

-- Almost every transaction ends as paid, every payment as succeeded and every delivery as delivered.
CREATE INDEX IF NOT EXISTS subscription_transactions_not_paid
  ON tollgate.subscription_transactions (workspace_id, environment, status, created_at, id) WHERE status <> 'paid';

CREATE INDEX IF NOT EXISTS payments_not_succeeded
  ON tollgate.payments (workspace_id, environment, status, created_at, id) WHERE status <> 'succeeded';

CREATE INDEX IF NOT EXISTS payments_provider ON tollgate.payments (workspace_id, environment, provider, created_at, id);

CREATE INDEX IF NOT EXISTS webhook_deliveries_not_delivered
  ON tollgate.webhook_deliveries (workspace_id, environment, endpoint_id, status, message_id)
  WHERE status IN ('failed', 'cancelled');

CREATE INDEX IF NOT EXISTS webhook_events_connection
  ON tollgate.webhook_events (workspace_id, environment, connection_id, received_at, id);

CREATE INDEX IF NOT EXISTS webhook_events_provider
  ON tollgate.webhook_events (workspace_id, environment, provider, received_at, id);
