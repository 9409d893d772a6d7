-- Outgoing webhooks: what integrators are told, at which addresses, and how each delivery went.

-- An address of an integrator's.
CREATE TABLE tollgate.webhook_endpoints (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  url text NOT NULL CHECK (length(url) <= 2048),
  description text NOT NULL DEFAULT '' CHECK (length(description) <= 500),
  -- null: all, also those of later versions.
  event_types text[] CHECK (cardinality(event_types) BETWEEN 1 AND 100),
  -- null while it is enabled.
  disabled_at timestamptz,
  disabled_reason text CHECK (disabled_reason IN ('operator', 'failing')),
  -- When the first of the attempts was that have failed since the last one that succeeded; null: none. Real time.
  failing_since timestamptz,
  -- Sealed as a provider's secrets are; see src/credentials.
  secret_envelope jsonb NOT NULL,
  -- The secret of before the roll, and until when it signs too. Real time.
  previous_secret_envelope jsonb,
  previous_secret_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations (workspace_id),
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
  CHECK ((previous_secret_envelope IS NULL) = (previous_secret_until IS NULL))
);
CALL tollgate.protect_tenant_table('tollgate.webhook_endpoints');

-- The last number that was given to a message about a resource, so that a receiver can drop what is older.
CREATE TABLE tollgate.webhook_sequences (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  resource_kind text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  last bigint NOT NULL,
  PRIMARY KEY (workspace_id, environment, resource_kind, resource_id),
  FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations (workspace_id)
);
CALL tollgate.protect_tenant_table('tollgate.webhook_sequences');

-- A fact that integrators are told, written in the fact's own transaction.
CREATE TABLE tollgate.webhook_messages (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  resource_kind text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  -- The workspace's time.
  happened_at timestamptz NOT NULL,
  -- Real time; retention goes by it.
  created_at timestamptz NOT NULL,
  -- The transaction that wrote it: a stream reads below the oldest one that runs.
  written_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- What is sent, byte for byte; null until the first attempt renders it.
  payload text,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations (workspace_id)
);
CREATE INDEX webhook_messages_newest ON tollgate.webhook_messages (workspace_id, environment, created_at, id);
CREATE INDEX webhook_messages_stream ON tollgate.webhook_messages (workspace_id, environment, written_by, id);
CALL tollgate.protect_tenant_table('tollgate.webhook_messages');

-- What is to be sent where.
CREATE TABLE tollgate.webhook_deliveries (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
  attempts integer NOT NULL DEFAULT 0,
  -- Real time. While an attempt is under way: when another process may take it to have died.
  next_attempt_at timestamptz,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (workspace_id, environment, endpoint_id, message_id),
  FOREIGN KEY (workspace_id, environment, endpoint_id)
    REFERENCES tollgate.webhook_endpoints (workspace_id, environment, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, environment, message_id)
    REFERENCES tollgate.webhook_messages (workspace_id, environment, id) ON DELETE CASCADE,
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK ((status = 'pending') = (ended_at IS NULL))
);
CREATE INDEX webhook_deliveries_due ON tollgate.webhook_deliveries (endpoint_id, next_attempt_at)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_of_message ON tollgate.webhook_deliveries (workspace_id, environment, message_id);
CALL tollgate.protect_tenant_table('tollgate.webhook_deliveries');

-- Each attempt, for the delivery log.
CREATE TABLE tollgate.webhook_attempts (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  -- Real time.
  attempted_at timestamptz NOT NULL,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  -- null where no answer came: `error` says why.
  status_code integer,
  error text,
  -- The first 1 KB of the answer, as text.
  answer text,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, endpoint_id, message_id)
    REFERENCES tollgate.webhook_deliveries (workspace_id, environment, endpoint_id, message_id) ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_newest ON tollgate.webhook_attempts
  (workspace_id, environment, endpoint_id, attempted_at, id);
CREATE INDEX webhook_attempts_of_message ON tollgate.webhook_attempts
  (workspace_id, environment, message_id, attempted_at);
CALL tollgate.protect_tenant_table('tollgate.webhook_attempts');
