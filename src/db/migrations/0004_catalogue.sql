-- Plan groups, plans, features and entitlements. Rows are archived, not deleted, once something refers to them.
CREATE TABLE tollgate.plan_groups (
  workspace_id text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  environment  tollgate.environment_name NOT NULL,
  id           text COLLATE "C" NOT NULL,
  slug         text NOT NULL,
  name         text NOT NULL,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  archived_at  timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, slug)
);
CALL tollgate.protect_tenant_table('tollgate.plan_groups');

CREATE TABLE tollgate.plans (
  workspace_id   text COLLATE "C" NOT NULL,
  environment    tollgate.environment_name NOT NULL,
  id             text COLLATE "C" NOT NULL,
  plan_group_id  text COLLATE "C" NOT NULL,
  slug           text NOT NULL,
  name           text NOT NULL,
  price_amount   bigint NOT NULL CHECK (price_amount >= 0),   -- minor units, for one interval (and one seat)
  price_currency tollgate.currency_code NOT NULL,
  billing_interval text NOT NULL CHECK (billing_interval IN ('month', 'year')),
  pricing        text NOT NULL CHECK (pricing IN ('flat', 'per_seat')),
  trial_days     integer NOT NULL CHECK (trial_days BETWEEN 0 AND 730),
  metadata       jsonb NOT NULL,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  archived_at    timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, slug),
  FOREIGN KEY (workspace_id, environment, plan_group_id) REFERENCES tollgate.plan_groups (workspace_id, environment, id)
);
CREATE INDEX plans_plan_group ON tollgate.plans (workspace_id, environment, plan_group_id);
CALL tollgate.protect_tenant_table('tollgate.plans');

CREATE TABLE tollgate.features (
  workspace_id text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  environment  tollgate.environment_name NOT NULL,
  id           text COLLATE "C" NOT NULL,
  key          text COLLATE "C" NOT NULL,
  name         text NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('metered', 'boolean')),
  unit         text,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  archived_at  timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, key)
);
CALL tollgate.protect_tenant_table('tollgate.features');

-- A quota of NULL on a metered feature means unlimited. A boolean feature's entitlement has neither quota nor
-- credit cost.
CREATE TABLE tollgate.plan_entitlements (
  workspace_id   text COLLATE "C" NOT NULL,
  environment    tollgate.environment_name NOT NULL,
  id             text COLLATE "C" NOT NULL,
  plan_id        text COLLATE "C" NOT NULL,
  feature_id     text COLLATE "C" NOT NULL,
  quota          numeric(24, 6) CHECK (quota >= 0),
  per_seat       boolean NOT NULL,
  reset_interval text NOT NULL CHECK (reset_interval IN ('billing_period', 'day', 'week', 'month', 'year', 'never')),
  enforcement    text NOT NULL CHECK (enforcement IN ('hard', 'soft')),
  credit_cost    numeric(24, 6) CHECK (credit_cost > 0),
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, plan_id, feature_id),
  FOREIGN KEY (workspace_id, environment, plan_id) REFERENCES tollgate.plans (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features (workspace_id, environment, id)
);
CREATE INDEX plan_entitlements_feature ON tollgate.plan_entitlements (workspace_id, environment, feature_id);
CALL tollgate.protect_tenant_table('tollgate.plan_entitlements');
