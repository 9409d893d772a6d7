-- Finds the events of one customer, and through the customer those of an externalId or a subscription. An expression
-- of what the events say already, so that those written before this version are found too.
CREATE INDEX developer_events_customer
  ON tollgate.developer_events (workspace_id, environment, (data ->> 'customerId'), created_at, id);

-- The workspace's time of an event, where that is not real time: in a sandbox whose clock was advanced.
ALTER TABLE tollgate.developer_events ADD COLUMN recorded_at timestamptz;
