-- What a workspace sets up per environment: settings, the sandbox clock, API keys.
CREATE TABLE tollgate.workspace_settings (
  workspace_id      text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  environment       tollgate.environment_name NOT NULL,
  default_currency  tollgate.currency_code NOT NULL,
  time_zone         text NOT NULL,
  tax_behavior      text NOT NULL CHECK (tax_behavior IN ('none', 'exclusive', 'inclusive')),
  tax_rates         jsonb NOT NULL,   -- [{ "name", "rate": decimal text, "country"? }]
  invoice_profile   jsonb NOT NULL,   -- { "legalName"?, "address"?, "taxId"?, "email"?, "footer"? }
  default_provider  text NOT NULL CHECK (default_provider IN ('internal', 'provider_a', 'provider_b', 'provider_c')),
  past_due_after_days integer NOT NULL CHECK (past_due_after_days >= 0),
  grace_days        integer NOT NULL CHECK (grace_days >= 0),
  expire_after_days integer NOT NULL CHECK (expire_after_days >= grace_days),
  updated_at        timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment)
);
CALL tollgate.protect_tenant_table('tollgate.workspace_settings', 'SELECT', 'INSERT', 'UPDATE');

-- The sandbox's own time: real time plus an offset that only grows. Production has none.
CREATE TABLE tollgate.sandbox_clocks (
  workspace_id text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  environment  tollgate.environment_name NOT NULL CHECK (environment = 'sandbox'),
  offset_ms    bigint NOT NULL CHECK (offset_ms >= 0),
  updated_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment)
);
CALL tollgate.protect_tenant_table('tollgate.sandbox_clocks', 'SELECT', 'INSERT', 'UPDATE');

CREATE TABLE tollgate.api_keys (
  workspace_id   text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  environment    tollgate.environment_name NOT NULL,
  id             text COLLATE "C" NOT NULL,
  name           text NOT NULL,
  key_hash       bytea NOT NULL,      -- HMAC-SHA-256 of the whole key under the pepper
  last_four      text NOT NULL,
  created_by     text COLLATE "C" REFERENCES tollgate.operators (id),
  created_at     timestamptz NOT NULL,
  expires_at     timestamptz,
  last_used_at   timestamptz,
  revoked_at     timestamptz,
  PRIMARY KEY (workspace_id, environment, id)
);
CREATE INDEX api_keys_hash ON tollgate.api_keys (key_hash);
CALL tollgate.protect_tenant_table('tollgate.api_keys', 'SELECT', 'INSERT', 'UPDATE');
