-- Customers, their subscriptions and their credits.
CREATE TABLE tollgate.customers (
  workspace_id text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  environment  tollgate.environment_name NOT NULL,
  id           text COLLATE "C" NOT NULL,
  external_id  text COLLATE "C" NOT NULL,
  name         text,
  email        text,
  metadata     jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, external_id)
);
CALL tollgate.protect_tenant_table('tollgate.customers', 'SELECT', 'INSERT', 'UPDATE');

-- The row is the truth that check and track read. Price and interval are a snapshot of the plan at the start
-- of the current period: an edit of the plan's price applies from the next renewal.
CREATE TABLE tollgate.subscriptions (
  workspace_id         text COLLATE "C" NOT NULL,
  environment          tollgate.environment_name NOT NULL,
  id                   text COLLATE "C" NOT NULL,
  customer_id          text COLLATE "C" NOT NULL,
  plan_group_id        text COLLATE "C" NOT NULL,
  plan_id              text COLLATE "C" NOT NULL,
  provider             text NOT NULL CHECK (provider IN ('internal', 'provider_a', 'provider_b', 'provider_c')),
  status               text NOT NULL CHECK (status IN ('incomplete', 'trialing', 'active', 'past_due', 'cancelled', 'expired')),
  seats                integer NOT NULL CHECK (seats >= 1),
  unit_amount          bigint NOT NULL CHECK (unit_amount >= 0),
  currency             tollgate.currency_code NOT NULL,
  billing_interval     text NOT NULL CHECK (billing_interval IN ('month', 'year')),
  pricing              text NOT NULL CHECK (pricing IN ('flat', 'per_seat')),
  time_zone            text NOT NULL,
  started_at           timestamptz NOT NULL,
  billing_anchor       timestamptz NOT NULL,
  trial_end            timestamptz,
  current_period_start timestamptz NOT NULL,
  current_period_end   timestamptz NOT NULL CHECK (current_period_end > current_period_start),
  cancel_at_period_end boolean NOT NULL DEFAULT false,
  cancelled_at         timestamptz,
  past_due_since       timestamptz,
  scheduled_change     jsonb,
  metadata             jsonb NOT NULL,
  next_wake_at         timestamptz,
  version              bigint NOT NULL DEFAULT 1,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, plan_group_id) REFERENCES tollgate.plan_groups (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, plan_id) REFERENCES tollgate.plans (workspace_id, environment, id)
);
-- One open subscription for a customer and plan group; this index is also how check and track find them.
CREATE UNIQUE INDEX subscriptions_open ON tollgate.subscriptions (workspace_id, environment, customer_id, plan_group_id)
  WHERE status IN ('trialing', 'active', 'past_due');
CREATE INDEX subscriptions_customer ON tollgate.subscriptions (workspace_id, environment, customer_id, created_at);
CREATE INDEX subscriptions_created ON tollgate.subscriptions (workspace_id, environment, created_at, id);
CREATE INDEX subscriptions_plan ON tollgate.subscriptions (workspace_id, environment, plan_id);
CREATE INDEX subscriptions_wake ON tollgate.subscriptions (next_wake_at) WHERE next_wake_at IS NOT NULL;
CALL tollgate.protect_tenant_table('tollgate.subscriptions', 'SELECT', 'INSERT', 'UPDATE');

-- Credits granted to a customer. remaining = amount - the sum of what usage events deducted from this grant.
CREATE TABLE tollgate.credit_grants (
  workspace_id text COLLATE "C" NOT NULL,
  environment  tollgate.environment_name NOT NULL,
  id           text COLLATE "C" NOT NULL,
  customer_id  text COLLATE "C" NOT NULL,
  amount       numeric(30, 12) NOT NULL CHECK (amount > 0),
  remaining    numeric(30, 12) NOT NULL CHECK (remaining >= 0 AND remaining <= amount),
  reason       text,
  expires_at   timestamptz,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id)
);
CREATE INDEX credit_grants_customer ON tollgate.credit_grants (workspace_id, environment, customer_id, id);
CREATE INDEX credit_grants_spendable ON tollgate.credit_grants (workspace_id, environment, customer_id) WHERE remaining > 0;
CALL tollgate.protect_tenant_table('tollgate.credit_grants', 'SELECT', 'INSERT', 'UPDATE');
