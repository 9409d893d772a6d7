-- The schema that src/db/migrations makes, read back from the database. Written by the schema test; not run.

-- Schema

CREATE SCHEMA tollgate AUTHORIZATION tollgate_owner;

-- Domains

CREATE DOMAIN tollgate.currency_code AS text CHECK ((VALUE ~ '^[A-Z]{3}$'::text));

CREATE DOMAIN tollgate.environment_name AS text CHECK ((VALUE = ANY (ARRAY['sandbox'::text, 'production'::text])));

-- Sequences

CREATE SEQUENCE tollgate.developer_event_sequence AS bigint CACHE 1; -- owner tollgate_owner

CREATE SEQUENCE tollgate.subscription_history_sequence_seq AS bigint CACHE 1; -- owner tollgate_owner

CREATE SEQUENCE tollgate.usage_dimensions_id_seq AS bigint CACHE 1; -- owner tollgate_owner

-- Tables

CREATE TABLE tollgate.api_keys (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  key_hash bytea NOT NULL,
  last_four text NOT NULL,
  created_by text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  scopes text[],
  rolled_from text COLLATE "C",
  CONSTRAINT api_keys_scopes_check CHECK (((scopes <@ ARRAY['read'::text, 'usage'::text, 'customers'::text, 'subscriptions'::text, 'billing'::text, 'events'::text, 'webhooks'::text]) AND (cardinality(scopes) > 0))),
  CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES tollgate.operators(id),
  CONSTRAINT api_keys_rolled_from_fkey FOREIGN KEY (workspace_id, environment, rolled_from) REFERENCES tollgate.api_keys(workspace_id, environment, id),
  CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT api_keys_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.audit_records (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name,
  operator_id text COLLATE "C",
  reason text NOT NULL,
  action text NOT NULL,
  target text,
  detail jsonb NOT NULL,
  ip text,
  created_at timestamp with time zone NOT NULL,
  api_key_id text COLLATE "C",
  CONSTRAINT audit_records_reason_check CHECK ((reason = ANY (ARRAY['API_KEY'::text, 'OPERATOR'::text, 'SYSTEM'::text, 'CUSTOMER'::text]))) NOT VALID,
  CONSTRAINT audit_records_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES tollgate.operators(id),
  CONSTRAINT audit_records_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT audit_records_pkey PRIMARY KEY (workspace_id, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.checkouts (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C",
  transaction_id text COLLATE "C",
  provider text NOT NULL,
  status text NOT NULL,
  url text,
  expires_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  next_wake_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  kind text NOT NULL DEFAULT 'subscription'::text,
  amount bigint,
  currency tollgate.currency_code,
  description text,
  metadata jsonb,
  connection_id text COLLATE "C",
  reference_kind text COLLATE "C",
  reference text COLLATE "C",
  success_url text,
  cancel_url text,
  failure text,
  looks integer NOT NULL DEFAULT 0,
  trial_days integer NOT NULL DEFAULT 0,
  given_up_at timestamp with time zone,
  unanswered_since timestamp with time zone,
  secret_version integer,
  terms jsonb,
  CONSTRAINT checkouts_amount_check CHECK ((amount > 0)),
  CONSTRAINT checkouts_connected CHECK ((((provider = 'internal'::text) = (connection_id IS NULL)) OR (status <> 'open'::text))),
  CONSTRAINT checkouts_kind_check CHECK ((kind = ANY (ARRAY['subscription'::text, 'payment'::text]))),
  CONSTRAINT checkouts_offer CHECK ((((kind = 'subscription'::text) = (subscription_id IS NOT NULL)) AND ((kind = 'payment'::text) = (num_nulls(amount, currency, description) = 0)))),
  CONSTRAINT checkouts_provider_check CHECK ((provider = ANY (ARRAY['internal'::text, 'provider_a'::text, 'provider_b'::text, 'provider_c'::text]))),
  CONSTRAINT checkouts_status_check CHECK ((status = ANY (ARRAY['open'::text, 'complete'::text, 'expired'::text]))),
  CONSTRAINT checkouts_trial_days_check CHECK (((trial_days >= 0) AND (trial_days <= 730))),
  CONSTRAINT checkouts_connection_fkey FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections(workspace_id, environment, id),
  CONSTRAINT checkouts_workspace_id_environment_customer_id_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT checkouts_workspace_id_environment_subscription_id_fkey FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions(workspace_id, environment, id),
  CONSTRAINT checkouts_workspace_id_environment_transaction_id_fkey FOREIGN KEY (workspace_id, environment, transaction_id) REFERENCES tollgate.subscription_transactions(workspace_id, environment, id),
  CONSTRAINT checkouts_pkey PRIMARY KEY (workspace_id, environment, id),
  CONSTRAINT checkouts_workspace_id_environment_subscription_id_key UNIQUE (workspace_id, environment, subscription_id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.credential_migrations (
  id text COLLATE "C" NOT NULL,
  key_id text NOT NULL,
  status text NOT NULL,
  migrated integer NOT NULL DEFAULT 0,
  scrubbed integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  requested_by text COLLATE "C",
  started_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT credential_migrations_status_check CHECK ((status = ANY (ARRAY['running'::text, 'complete'::text, 'failed'::text]))),
  CONSTRAINT credential_migrations_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES tollgate.operators(id),
  CONSTRAINT credential_migrations_pkey PRIMARY KEY (id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.credit_grants (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  amount numeric(30,12) NOT NULL,
  remaining numeric(30,12) NOT NULL,
  reason text,
  expires_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  low_alerted_at timestamp with time zone,
  CONSTRAINT credit_grants_amount_check CHECK ((amount > (0)::numeric)),
  CONSTRAINT credit_grants_check CHECK (((remaining >= (0)::numeric) AND (remaining <= amount))),
  CONSTRAINT credit_grants_workspace_id_environment_customer_id_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT credit_grants_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.customer_entities (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT customer_entities_workspace_id_environment_customer_id_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT customer_entities_pkey PRIMARY KEY (workspace_id, environment, customer_id, entity)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.customer_erasures (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  external_id_hash bytea NOT NULL,
  names text[],
  step text NOT NULL,
  after text COLLATE "C",
  awaited text[],
  blanked jsonb NOT NULL DEFAULT '{}'::jsonb,
  requested_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  next_wake_at timestamp with time zone,
  CONSTRAINT customer_erasures_check CHECK ((num_nonnulls(names, next_wake_at) =
CASE
    WHEN (completed_at IS NULL) THEN 2
    ELSE 0
END)),
  CONSTRAINT customer_erasures_workspace_id_environment_customer_id_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT customer_erasures_pkey PRIMARY KEY (workspace_id, environment, id),
  CONSTRAINT customer_erasures_workspace_id_environment_customer_id_key UNIQUE (workspace_id, environment, customer_id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.customers (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  name text,
  email text,
  metadata jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  erased_at timestamp with time zone,
  usage_alert_percents integer[],
  CONSTRAINT customers_usage_alert_percents_check CHECK (((cardinality(usage_alert_percents) <= 10) AND (1 <= ALL (usage_alert_percents)) AND (1000 >= ALL (usage_alert_percents)))) NOT VALID,
  CONSTRAINT customers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT customers_pkey PRIMARY KEY (workspace_id, environment, id),
  CONSTRAINT customers_workspace_id_environment_external_id_key UNIQUE (workspace_id, environment, external_id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.developer_events (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  message text NOT NULL,
  source text NOT NULL,
  data json NOT NULL,
  created_at timestamp with time zone NOT NULL,
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  sequence bigint NOT NULL DEFAULT nextval('tollgate.developer_event_sequence'::regclass),
  recorded_at timestamp with time zone,
  CONSTRAINT developer_events_pkey PRIMARY KEY (workspace_id, environment, created_at, id)
) PARTITION BY RANGE (created_at); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.disputes (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  status text NOT NULL,
  currency tollgate.currency_code NOT NULL,
  amount bigint NOT NULL,
  reason text,
  told_as_refund boolean NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  decided_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT disputes_amount_check CHECK ((amount > 0)),
  CONSTRAINT disputes_check CHECK (((status = 'open'::text) = (decided_at IS NULL))),
  CONSTRAINT disputes_status_check CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text]))),
  CONSTRAINT disputes_workspace_id_environment_connection_id_fkey FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections(workspace_id, environment, id),
  CONSTRAINT disputes_workspace_id_environment_payment_id_fkey FOREIGN KEY (workspace_id, environment, payment_id) REFERENCES tollgate.payments(workspace_id, environment, id),
  CONSTRAINT disputes_pkey PRIMARY KEY (workspace_id, environment, id),
  CONSTRAINT disputes_workspace_id_environment_connection_id_reference_key UNIQUE (workspace_id, environment, connection_id, reference)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.earlier_plan_prices (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  until timestamp with time zone NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT earlier_plan_prices_amount_check CHECK ((amount >= 0)),
  CONSTRAINT earlier_plan_prices_workspace_id_environment_plan_id_fkey FOREIGN KEY (workspace_id, environment, plan_id) REFERENCES tollgate.plans(workspace_id, environment, id) ON DELETE CASCADE,
  CONSTRAINT earlier_plan_prices_pkey PRIMARY KEY (workspace_id, environment, plan_id, until)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.earlier_tax_settings (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  until timestamp with time zone NOT NULL,
  tax_behavior text NOT NULL,
  tax_rates jsonb NOT NULL,
  CONSTRAINT earlier_tax_settings_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES tollgate.workspace_settings(workspace_id, environment) ON DELETE CASCADE,
  CONSTRAINT earlier_tax_settings_pkey PRIMARY KEY (workspace_id, environment, until)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.entity_counters (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  reset_interval text COLLATE "C" NOT NULL,
  period_start timestamp with time zone NOT NULL,
  quota_used numeric NOT NULL DEFAULT 0,
  rollover_used numeric NOT NULL DEFAULT 0,
  credit_used numeric NOT NULL DEFAULT 0,
  overage_used numeric NOT NULL DEFAULT 0,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT entity_counters_credit_used_check CHECK ((credit_used >= (0)::numeric)),
  CONSTRAINT entity_counters_overage_used_check CHECK ((overage_used >= (0)::numeric)),
  CONSTRAINT entity_counters_quota_used_check CHECK ((quota_used >= (0)::numeric)),
  CONSTRAINT entity_counters_rollover_used_check CHECK ((rollover_used >= (0)::numeric)),
  CONSTRAINT entity_counters_workspace_id_environment_customer_id_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT entity_counters_workspace_id_environment_feature_id_fkey FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features(workspace_id, environment, id),
  CONSTRAINT entity_counters_workspace_id_environment_subscription_id_fkey FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions(workspace_id, environment, id),
  CONSTRAINT entity_counters_pkey PRIMARY KEY (workspace_id, environment, customer_id, feature_id, entity, subscription_id, reset_interval, period_start)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.features (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  unit text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  archived_at timestamp with time zone,
  dimensions text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT features_dimensions_check CHECK ((cardinality(dimensions) <= 3)),
  CONSTRAINT features_kind_check CHECK ((kind = ANY (ARRAY['metered'::text, 'boolean'::text]))),
  CONSTRAINT features_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT features_pkey PRIMARY KEY (workspace_id, environment, id),
  CONSTRAINT features_workspace_id_environment_key_key UNIQUE (workspace_id, environment, key)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.former_entitlement_terms (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  until timestamp with time zone NOT NULL,
  quota numeric,
  per_seat boolean NOT NULL,
  seats integer NOT NULL,
  reset_interval text NOT NULL,
  rolls_over boolean NOT NULL,
  CONSTRAINT former_entitlement_terms_workspace_id_environment_subscrip_fkey FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions(workspace_id, environment, id),
  CONSTRAINT former_entitlement_terms_pkey PRIMARY KEY (workspace_id, environment, subscription_id, feature_id, until)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.former_plan_prices (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  left_at timestamp with time zone NOT NULL,
  CONSTRAINT former_plan_prices_amount_check CHECK ((amount >= 0)),
  CONSTRAINT former_plan_prices_workspace_id_environment_connection_id_fkey FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections(workspace_id, environment, id),
  CONSTRAINT former_plan_prices_workspace_id_environment_plan_id_fkey FOREIGN KEY (workspace_id, environment, plan_id) REFERENCES tollgate.plans(workspace_id, environment, id) ON DELETE CASCADE,
  CONSTRAINT former_plan_prices_pkey PRIMARY KEY (workspace_id, environment, connection_id, plan_id, reference, amount)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.idempotency_answers (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  status integer NOT NULL,
  body json NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_answers_pkey PRIMARY KEY (workspace_id, environment, idempotency_key)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.key_checks (
  key_id text COLLATE "C" NOT NULL,
  check_value text NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  CONSTRAINT key_checks_pkey PRIMARY KEY (key_id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.key_ring_runtimes (
  id text COLLATE "C" NOT NULL,
  process text NOT NULL,
  key_ids text[] NOT NULL,
  started_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT key_ring_runtimes_pkey PRIMARY KEY (id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.key_ring_state (
  singleton boolean NOT NULL DEFAULT true,
  active_key_id text NOT NULL,
  switched_at timestamp with time zone NOT NULL,
  CONSTRAINT key_ring_state_singleton_check CHECK (singleton),
  CONSTRAINT key_ring_state_pkey PRIMARY KEY (singleton)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.login_throttle (
  key text NOT NULL,
  points integer NOT NULL DEFAULT 0,
  expire bigint,
  CONSTRAINT login_throttle_pkey PRIMARY KEY (key)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.member_invitations (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL,
  invited_by text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  CONSTRAINT member_invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'viewer'::text]))),
  CONSTRAINT member_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES tollgate.operators(id),
  CONSTRAINT member_invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT member_invitations_pkey PRIMARY KEY (workspace_id, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.member_reset_links (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  operator_id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL,
  issued_by text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  CONSTRAINT member_reset_links_issued_by_fkey FOREIGN KEY (issued_by) REFERENCES tollgate.operators(id),
  CONSTRAINT member_reset_links_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES tollgate.operators(id),
  CONSTRAINT member_reset_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT member_reset_links_pkey PRIMARY KEY (workspace_id, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.operations (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  subscription_id text COLLATE "C",
  target_id text COLLATE "C" NOT NULL,
  input jsonb NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  status text NOT NULL,
  problem jsonb,
  reason text NOT NULL,
  operator_id text COLLATE "C",
  ip text,
  request_id text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  attempts integer NOT NULL DEFAULT 1,
  resendable boolean NOT NULL DEFAULT false,
  api_key_id text COLLATE "C",
  submitted_at timestamp with time zone,
  CONSTRAINT operations_attempts_check CHECK ((attempts >= 1)),
  CONSTRAINT operations_kind_check CHECK ((kind = ANY (ARRAY['cancel'::text, 'reactivate'::text, 'change'::text, 'withdraw_scheduled_change'::text, 'record_payment'::text, 'refund'::text, 'create_checkout'::text, 'repair'::text]))),
  CONSTRAINT operations_reason_check CHECK ((reason = ANY (ARRAY['API_KEY'::text, 'OPERATOR'::text, 'SYSTEM'::text, 'CUSTOMER'::text]))) NOT VALID,
  CONSTRAINT operations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'abandoned'::text, 'succeeded'::text, 'refused'::text]))),
  CONSTRAINT operations_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES tollgate.operators(id),
  CONSTRAINT operations_workspace_id_environment_subscription_id_fkey FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions(workspace_id, environment, id),
  CONSTRAINT operations_pkey PRIMARY KEY (workspace_id, environment, id),
  CONSTRAINT operations_workspace_id_environment_idempotency_key_key UNIQUE (workspace_id, environment, idempotency_key)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.operator_devices (
  token_hash bytea NOT NULL,
  operator_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  CONSTRAINT operator_devices_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES tollgate.operators(id) ON DELETE CASCADE,
  CONSTRAINT operator_devices_pkey PRIMARY KEY (token_hash)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.operator_login_challenges (
  token_hash bytea NOT NULL,
  operator_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  from_known_device boolean NOT NULL DEFAULT false,
  CONSTRAINT operator_login_challenges_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES tollgate.operators(id) ON DELETE CASCADE,
  CONSTRAINT operator_login_challenges_pkey PRIMARY KEY (token_hash)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.operator_recovery_codes (
  operator_id text COLLATE "C" NOT NULL,
  code_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT operator_recovery_codes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES tollgate.operators(id) ON DELETE CASCADE,
  CONSTRAINT operator_recovery_codes_pkey PRIMARY KEY (operator_id, code_hash)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.operator_second_factors (
  operator_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  envelope bytea NOT NULL,
  revision integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  confirmed_at timestamp with time zone,
  enrolling_session text COLLATE "C",
  last_step bigint,
  CONSTRAINT operator_second_factors_check CHECK (((confirmed_at IS NULL) = (enrolling_session IS NOT NULL))),
  CONSTRAINT operator_second_factors_revision_check CHECK ((revision > 0)),
  CONSTRAINT operator_second_factors_enrolling_session_fkey FOREIGN KEY (enrolling_session) REFERENCES tollgate.operator_sessions(id) ON DELETE CASCADE,
  CONSTRAINT operator_second_factors_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES tollgate.operators(id) ON DELETE CASCADE,
  CONSTRAINT operator_second_factors_pkey PRIMARY KEY (operator_id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.operator_sessions (
  id_hash bytea NOT NULL,
  id text COLLATE "C" NOT NULL,
  operator_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  user_agent text,
  ip text,
  second_factor_at timestamp with time zone,
  last_ip text,
  CONSTRAINT operator_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES tollgate.operators(id) ON DELETE CASCADE,
  CONSTRAINT operator_sessions_pkey PRIMARY KEY (id_hash),
  CONSTRAINT operator_sessions_id_key UNIQUE (id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.operators (
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  is_platform_administrator boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL,
  password_changed_at timestamp with time zone NOT NULL,
  CONSTRAINT operators_pkey PRIMARY KEY (id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.organization_members (
  workspace_id text COLLATE "C" NOT NULL,
  operator_id text COLLATE "C" NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT organization_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'viewer'::text]))),
  CONSTRAINT organization_members_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES tollgate.operators(id),
  CONSTRAINT organization_members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT organization_members_pkey PRIMARY KEY (workspace_id, operator_id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.organizations (
  workspace_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  require_second_factor boolean NOT NULL DEFAULT false,
  CONSTRAINT organizations_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT organizations_slug_key UNIQUE (slug)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.payments (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C",
  transaction_id text COLLATE "C",
  provider text NOT NULL,
  status text NOT NULL,
  currency tollgate.currency_code NOT NULL,
  amount bigint NOT NULL,
  applied_amount bigint NOT NULL,
  reference text,
  received_at timestamp with time zone NOT NULL,
  settlement_id text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  checkout_id text COLLATE "C",
  CONSTRAINT payments_amount_check CHECK ((amount > 0)),
  CONSTRAINT payments_check CHECK (((applied_amount >= 0) AND (applied_amount <= amount))),
  CONSTRAINT payments_provider_check CHECK ((provider = ANY (ARRAY['internal'::text, 'provider_a'::text, 'provider_b'::text, 'provider_c'::text]))),
  CONSTRAINT payments_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))),
  CONSTRAINT payments_workspace_id_environment_customer_id_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT payments_workspace_id_environment_settlement_id_fkey FOREIGN KEY (workspace_id, environment, settlement_id) REFERENCES tollgate.settlements(workspace_id, environment, id),
  CONSTRAINT payments_workspace_id_environment_subscription_id_fkey FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions(workspace_id, environment, id),
  CONSTRAINT payments_workspace_id_environment_transaction_id_fkey FOREIGN KEY (workspace_id, environment, transaction_id) REFERENCES tollgate.subscription_transactions(workspace_id, environment, id),
  CONSTRAINT payments_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.plan_entitlements (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  quota numeric(24,6),
  per_seat boolean NOT NULL,
  reset_interval text NOT NULL,
  enforcement text NOT NULL,
  credit_cost numeric(24,6),
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  rollover_periods integer NOT NULL DEFAULT 0,
  rollover_max numeric,
  rollover_first boolean NOT NULL DEFAULT false,
  alert_percents integer[],
  entity_quota numeric,
  CONSTRAINT plan_entitlements_alert_percents_check CHECK (((cardinality(alert_percents) <= 10) AND (1 <= ALL (alert_percents)) AND (1000 >= ALL (alert_percents)))),
  CONSTRAINT plan_entitlements_credit_cost_check CHECK ((credit_cost > (0)::numeric)),
  CONSTRAINT plan_entitlements_enforcement_check CHECK ((enforcement = ANY (ARRAY['hard'::text, 'soft'::text]))),
  CONSTRAINT plan_entitlements_entity_quota_check CHECK ((entity_quota >= (0)::numeric)),
  CONSTRAINT plan_entitlements_quota_check CHECK ((quota >= (0)::numeric)),
  CONSTRAINT plan_entitlements_reset_interval_check CHECK ((reset_interval = ANY (ARRAY['billing_period'::text, 'day'::text, 'week'::text, 'month'::text, 'year'::text, 'never'::text]))),
  CONSTRAINT plan_entitlements_rollover_max_check CHECK ((rollover_max > (0)::numeric)),
  CONSTRAINT plan_entitlements_rollover_periods_check CHECK (((rollover_periods >= 0) AND (rollover_periods <= 36))),
  CONSTRAINT plan_entitlements_workspace_id_environment_feature_id_fkey FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features(workspace_id, environment, id),
  CONSTRAINT plan_entitlements_workspace_id_environment_plan_id_fkey FOREIGN KEY (workspace_id, environment, plan_id) REFERENCES tollgate.plans(workspace_id, environment, id),
  CONSTRAINT plan_entitlements_pkey PRIMARY KEY (workspace_id, environment, id),
  CONSTRAINT plan_entitlements_workspace_id_environment_plan_id_feature__key UNIQUE (workspace_id, environment, plan_id, feature_id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.plan_groups (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  archived_at timestamp with time zone,
  CONSTRAINT plan_groups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT plan_groups_pkey PRIMARY KEY (workspace_id, environment, id),
  CONSTRAINT plan_groups_workspace_id_environment_slug_key UNIQUE (workspace_id, environment, slug)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.plans (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  plan_group_id text COLLATE "C" NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  price_amount bigint NOT NULL,
  price_currency tollgate.currency_code NOT NULL,
  billing_interval text NOT NULL,
  pricing text NOT NULL,
  trial_days integer NOT NULL,
  metadata jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  archived_at timestamp with time zone,
  entity_limit integer,
  CONSTRAINT plans_billing_interval_check CHECK ((billing_interval = ANY (ARRAY['month'::text, 'year'::text]))),
  CONSTRAINT plans_entity_limit_check CHECK (((entity_limit >= 1) AND (entity_limit <= 100000))),
  CONSTRAINT plans_price_amount_check CHECK ((price_amount >= 0)),
  CONSTRAINT plans_pricing_check CHECK ((pricing = ANY (ARRAY['flat'::text, 'per_seat'::text]))),
  CONSTRAINT plans_trial_days_check CHECK (((trial_days >= 0) AND (trial_days <= 730))),
  CONSTRAINT plans_workspace_id_environment_plan_group_id_fkey FOREIGN KEY (workspace_id, environment, plan_group_id) REFERENCES tollgate.plan_groups(workspace_id, environment, id),
  CONSTRAINT plans_pkey PRIMARY KEY (workspace_id, environment, id),
  CONSTRAINT plans_workspace_id_environment_slug_key UNIQUE (workspace_id, environment, slug)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.plans_once_subscribed (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  CONSTRAINT plans_once_subscribed_pkey PRIMARY KEY (workspace_id, environment, plan_id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.platform_audit (
  id text COLLATE "C" NOT NULL,
  action text NOT NULL,
  operator_id text COLLATE "C",
  host text,
  provider text,
  detail jsonb NOT NULL,
  ip text,
  count bigint NOT NULL DEFAULT 1,
  minute timestamp with time zone NOT NULL,
  overflow boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT platform_audit_count_check CHECK ((count >= 1)),
  CONSTRAINT platform_audit_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES tollgate.operators(id),
  CONSTRAINT platform_audit_pkey PRIMARY KEY (id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.portal_sessions (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  api_key_id text COLLATE "C" NOT NULL,
  link_hash bytea NOT NULL,
  return_url text,
  created_at timestamp with time zone NOT NULL,
  link_expires_at timestamp with time zone NOT NULL,
  opened_at timestamp with time zone,
  session_hash bytea,
  last_seen_at timestamp with time zone,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  CONSTRAINT portal_sessions_check CHECK ((num_nonnulls(opened_at, session_hash, last_seen_at, expires_at) = ANY (ARRAY[0, 4]))),
  CONSTRAINT portal_sessions_workspace_id_environment_api_key_id_fkey FOREIGN KEY (workspace_id, environment, api_key_id) REFERENCES tollgate.api_keys(workspace_id, environment, id),
  CONSTRAINT portal_sessions_workspace_id_environment_customer_id_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT portal_sessions_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.portal_settings (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  shows text[] NOT NULL,
  plans text[],
  name text,
  colour text NOT NULL,
  logo bytea,
  logo_type text,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT portal_settings_check CHECK (((logo IS NULL) = (logo_type IS NULL))),
  CONSTRAINT portal_settings_colour_check CHECK ((colour ~ '^#[0-9a-f]{6}$'::text)),
  CONSTRAINT portal_settings_logo_check CHECK ((octet_length(logo) <= 32768)),
  CONSTRAINT portal_settings_logo_type_check CHECK ((logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text]))),
  CONSTRAINT portal_settings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT portal_settings_pkey PRIMARY KEY (workspace_id, environment)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.provider_connections (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  display_name text NOT NULL,
  api_mode text NOT NULL,
  settings jsonb NOT NULL,
  envelope bytea,
  key_id text,
  revision integer NOT NULL DEFAULT 0,
  secret_hints jsonb NOT NULL DEFAULT '{}'::jsonb,
  disabled_at timestamp with time zone,
  version bigint NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  collected_until timestamp with time zone,
  can_verify boolean NOT NULL DEFAULT ((envelope IS NOT NULL) AND
CASE provider
    WHEN 'provider_a'::text THEN ((secret_hints -> 'webhookSecret'::text) IS NOT NULL)
    WHEN 'provider_b'::text THEN (((secret_hints -> 'clientId'::text) IS NOT NULL) AND ((secret_hints -> 'clientSecret'::text) IS NOT NULL) AND ((secret_hints -> 'webhookId'::text) IS NOT NULL))
    ELSE ((secret_hints -> 'secretKey'::text) IS NOT NULL)
END),
  account_reference text COLLATE "C" DEFAULT 
CASE provider
    WHEN 'provider_b'::text THEN COALESCE((settings ->> 'merchantId'::text), (settings ->> 'accountId'::text))
    ELSE COALESCE((settings ->> 'accountId'::text), (settings ->> 'merchantId'::text))
END,
  plan_price_findings jsonb,
  tested_at timestamp with time zone,
  failed_checks text[] NOT NULL DEFAULT '{}'::text[],
  resealings integer NOT NULL DEFAULT 0,
  CONSTRAINT provider_connections_api_mode_check CHECK ((api_mode = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  CONSTRAINT provider_connections_check CHECK ((num_nulls(envelope, key_id) = ANY (ARRAY[0, 2]))),
  CONSTRAINT provider_connections_check1 CHECK ((((environment)::text = 'production'::text) = (api_mode = 'live'::text))),
  CONSTRAINT provider_connections_provider_check CHECK ((provider = ANY (ARRAY['provider_a'::text, 'provider_b'::text, 'provider_c'::text]))),
  CONSTRAINT provider_connections_resealings_check CHECK ((resealings >= 0)),
  CONSTRAINT provider_connections_revision_check CHECK ((revision >= 0)),
  CONSTRAINT provider_connections_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT provider_connections_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.provider_references (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  provider text NOT NULL,
  kind text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT provider_references_kind_check CHECK ((kind = ANY (ARRAY['subscription'::text, 'customer'::text, 'checkout'::text, 'order'::text, 'capture'::text, 'payment'::text, 'charge'::text, 'invoice'::text, 'refund'::text, 'payout'::text, 'dispute'::text]))),
  CONSTRAINT provider_references_provider_check CHECK ((provider = ANY (ARRAY['provider_a'::text, 'provider_b'::text, 'provider_c'::text]))),
  CONSTRAINT provider_references_workspace_id_environment_connection_id_fkey FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections(workspace_id, environment, id),
  CONSTRAINT provider_references_pkey PRIMARY KEY (workspace_id, environment, provider, kind, reference)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.refunds (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  currency tollgate.currency_code NOT NULL,
  amount bigint NOT NULL,
  reason text,
  failure text,
  requested_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  settlement_id text COLLATE "C",
  next_wake_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  kind text NOT NULL DEFAULT 'refund'::text,
  dispute_id text COLLATE "C",
  returned_settlement_id text COLLATE "C",
  CONSTRAINT refunds_amount_check CHECK ((amount > 0)),
  CONSTRAINT refunds_dispute_whole CHECK (((kind = 'dispute'::text) = (dispute_id IS NOT NULL))),
  CONSTRAINT refunds_kind_check CHECK ((kind = ANY (ARRAY['refund'::text, 'dispute'::text]))),
  CONSTRAINT refunds_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))),
  CONSTRAINT refunds_dispute_fkey FOREIGN KEY (workspace_id, environment, dispute_id) REFERENCES tollgate.disputes(workspace_id, environment, id),
  CONSTRAINT refunds_returned_settlement_fkey FOREIGN KEY (workspace_id, environment, returned_settlement_id) REFERENCES tollgate.settlements(workspace_id, environment, id),
  CONSTRAINT refunds_workspace_id_environment_payment_id_fkey FOREIGN KEY (workspace_id, environment, payment_id) REFERENCES tollgate.payments(workspace_id, environment, id),
  CONSTRAINT refunds_workspace_id_environment_settlement_id_fkey FOREIGN KEY (workspace_id, environment, settlement_id) REFERENCES tollgate.settlements(workspace_id, environment, id),
  CONSTRAINT refunds_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.sandbox_clocks (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  offset_ms bigint NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT sandbox_clocks_environment_check CHECK (((environment)::text = 'sandbox'::text)),
  CONSTRAINT sandbox_clocks_offset_ms_check CHECK ((offset_ms >= 0)),
  CONSTRAINT sandbox_clocks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT sandbox_clocks_pkey PRIMARY KEY (workspace_id, environment)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.sandbox_secret_fingerprints (
  workspace_id text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT sandbox_secret_fingerprints_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT sandbox_secret_fingerprints_pkey PRIMARY KEY (workspace_id, fingerprint)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.settlement_lines (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  settlement_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  fee bigint NOT NULL,
  target_id text COLLATE "C",
  fetched_at timestamp with time zone,
  CONSTRAINT settlement_lines_workspace_id_environment_settlement_id_fkey FOREIGN KEY (workspace_id, environment, settlement_id) REFERENCES tollgate.settlements(workspace_id, environment, id),
  CONSTRAINT settlement_lines_pkey PRIMARY KEY (workspace_id, environment, settlement_id, "position")
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.settlements (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  currency tollgate.currency_code NOT NULL,
  period_start timestamp with time zone NOT NULL,
  period_end timestamp with time zone NOT NULL,
  paid bigint NOT NULL,
  refunded bigint NOT NULL,
  fees bigint NOT NULL DEFAULT 0,
  net bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  connection_id text COLLATE "C",
  reference text COLLATE "C",
  status text NOT NULL DEFAULT 'settled'::text,
  unmatched bigint NOT NULL DEFAULT 0,
  difference text,
  CONSTRAINT settlements_check CHECK ((period_end > period_start)),
  CONSTRAINT settlements_fees_check CHECK (((fees >= 0) OR (provider <> 'internal'::text))),
  CONSTRAINT settlements_net_check CHECK ((net = (((paid - refunded) - fees) + unmatched))),
  CONSTRAINT settlements_paid_check CHECK ((paid >= 0)),
  CONSTRAINT settlements_provider_check CHECK ((provider = ANY (ARRAY['internal'::text, 'provider_a'::text, 'provider_b'::text, 'provider_c'::text]))),
  CONSTRAINT settlements_reference_whole CHECK ((num_nulls(connection_id, reference) = ANY (ARRAY[0, 2]))),
  CONSTRAINT settlements_refunded_check CHECK (((refunded >= 0) OR (provider <> 'internal'::text))),
  CONSTRAINT settlements_status_check CHECK ((status = ANY (ARRAY['settled'::text, 'failed'::text]))),
  CONSTRAINT settlements_connection_fkey FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections(workspace_id, environment, id),
  CONSTRAINT settlements_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT settlements_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.subscription_history (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  kind text NOT NULL,
  message text NOT NULL,
  data jsonb NOT NULL,
  happened_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT subscription_history_workspace_id_environment_subscription_fkey FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions(workspace_id, environment, id),
  CONSTRAINT subscription_history_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.subscription_transactions (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  currency tollgate.currency_code NOT NULL,
  subtotal bigint NOT NULL,
  tax_amount bigint NOT NULL,
  total bigint NOT NULL,
  amount_paid bigint NOT NULL DEFAULT 0,
  tax jsonb NOT NULL,
  lines jsonb NOT NULL,
  proration jsonb,
  period_start timestamp with time zone NOT NULL,
  period_end timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  paid_at timestamp with time zone,
  voided_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT subscription_transactions_check CHECK (((amount_paid >= 0) AND (amount_paid <= total))),
  CONSTRAINT subscription_transactions_check1 CHECK ((period_end > period_start)),
  CONSTRAINT subscription_transactions_check2 CHECK (((kind = 'proration'::text) = (proration IS NOT NULL))),
  CONSTRAINT subscription_transactions_check3 CHECK (((amount_paid < total) OR (status = ANY (ARRAY['paid'::text, 'void'::text])))),
  CONSTRAINT subscription_transactions_check4 CHECK (((status <> 'paid'::text) OR (amount_paid = total))),
  CONSTRAINT subscription_transactions_kind_check CHECK ((kind = ANY (ARRAY['initial'::text, 'renewal'::text, 'proration'::text]))),
  CONSTRAINT subscription_transactions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'partially_paid'::text, 'paid'::text, 'void'::text]))),
  CONSTRAINT subscription_transactions_subtotal_check CHECK ((subtotal >= 0)),
  CONSTRAINT subscription_transactions_tax_amount_check CHECK ((tax_amount >= 0)),
  CONSTRAINT subscription_transactions_total_check CHECK ((total >= 0)),
  CONSTRAINT subscription_transactions_workspace_id_environment_custome_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT subscription_transactions_workspace_id_environment_subscri_fkey FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions(workspace_id, environment, id),
  CONSTRAINT subscription_transactions_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.subscriptions (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  plan_group_id text COLLATE "C" NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  status text NOT NULL,
  seats integer NOT NULL,
  unit_amount bigint NOT NULL,
  currency tollgate.currency_code NOT NULL,
  billing_interval text NOT NULL,
  pricing text NOT NULL,
  time_zone text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  billing_anchor timestamp with time zone NOT NULL,
  trial_end timestamp with time zone,
  current_period_start timestamp with time zone NOT NULL,
  current_period_end timestamp with time zone NOT NULL,
  cancel_at_period_end boolean NOT NULL DEFAULT false,
  cancelled_at timestamp with time zone,
  past_due_since timestamp with time zone,
  metadata jsonb NOT NULL,
  next_wake_at timestamp with time zone,
  version bigint NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  tax jsonb NOT NULL,
  scheduled_plan_id text COLLATE "C",
  scheduled_seats integer,
  scheduled_requested_at timestamp with time zone,
  payment_due_at timestamp with time zone,
  incomplete_until timestamp with time zone,
  provider_work jsonb,
  drift jsonb,
  cancel_at timestamp with time zone,
  payments_read_until timestamp with time zone,
  payments_read_at timestamp with time zone,
  nothing_due_at timestamp with time zone,
  former_rhythms jsonb,
  unpaid_since timestamp with time zone,
  CONSTRAINT subscriptions_billing_interval_check CHECK ((billing_interval = ANY (ARRAY['month'::text, 'year'::text]))),
  CONSTRAINT subscriptions_check CHECK ((current_period_end > current_period_start)),
  CONSTRAINT subscriptions_pricing_check CHECK ((pricing = ANY (ARRAY['flat'::text, 'per_seat'::text]))),
  CONSTRAINT subscriptions_provider_check CHECK ((provider = ANY (ARRAY['internal'::text, 'provider_a'::text, 'provider_b'::text, 'provider_c'::text]))),
  CONSTRAINT subscriptions_scheduled_seats_check CHECK ((scheduled_seats >= 1)),
  CONSTRAINT subscriptions_scheduled_whole CHECK ((num_nulls(scheduled_plan_id, scheduled_seats, scheduled_requested_at) = ANY (ARRAY[0, 3]))),
  CONSTRAINT subscriptions_seats_check CHECK ((seats >= 1)),
  CONSTRAINT subscriptions_status_check CHECK ((status = ANY (ARRAY['incomplete'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'cancelled'::text, 'expired'::text]))),
  CONSTRAINT subscriptions_unit_amount_check CHECK ((unit_amount >= 0)),
  CONSTRAINT subscriptions_scheduled_plan_fkey FOREIGN KEY (workspace_id, environment, scheduled_plan_id) REFERENCES tollgate.plans(workspace_id, environment, id),
  CONSTRAINT subscriptions_workspace_id_environment_customer_id_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT subscriptions_workspace_id_environment_plan_group_id_fkey FOREIGN KEY (workspace_id, environment, plan_group_id) REFERENCES tollgate.plan_groups(workspace_id, environment, id),
  CONSTRAINT subscriptions_workspace_id_environment_plan_id_fkey FOREIGN KEY (workspace_id, environment, plan_id) REFERENCES tollgate.plans(workspace_id, environment, id),
  CONSTRAINT subscriptions_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_counters (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  reset_interval text COLLATE "C" NOT NULL,
  period_start timestamp with time zone NOT NULL,
  quota_used numeric NOT NULL,
  credit_used numeric NOT NULL,
  overage_used numeric NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  rollover_used numeric NOT NULL DEFAULT 0,
  used_later numeric NOT NULL DEFAULT 0,
  alerted_quota numeric,
  alerted_percent integer,
  CONSTRAINT usage_counters_alerted_check CHECK (((alerted_quota IS NULL) = (alerted_percent IS NULL))) NOT VALID,
  CONSTRAINT usage_counters_credit_used_check CHECK ((credit_used >= (0)::numeric)),
  CONSTRAINT usage_counters_overage_used_check CHECK ((overage_used >= (0)::numeric)),
  CONSTRAINT usage_counters_quota_used_check CHECK ((quota_used >= (0)::numeric)),
  CONSTRAINT usage_counters_rollover_used_check CHECK ((rollover_used >= (0)::numeric)),
  CONSTRAINT usage_counters_used_later_check CHECK ((used_later >= (0)::numeric)),
  CONSTRAINT usage_counters_workspace_id_environment_customer_id_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT usage_counters_workspace_id_environment_feature_id_fkey FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features(workspace_id, environment, id),
  CONSTRAINT usage_counters_workspace_id_environment_subscription_id_fkey FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions(workspace_id, environment, id),
  CONSTRAINT usage_counters_pkey PRIMARY KEY (workspace_id, environment, customer_id, feature_id, subscription_id, reset_interval, period_start)
) WITH (fillfactor=70); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_customer_days (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  day timestamp with time zone NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  quantity numeric NOT NULL,
  events bigint NOT NULL,
  CONSTRAINT usage_customer_days_pkey PRIMARY KEY (workspace_id, environment, feature_id, day, customer_id)
) WITH (fillfactor=80); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_customer_months (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  month timestamp with time zone NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  quantity numeric NOT NULL,
  events bigint NOT NULL,
  CONSTRAINT usage_customer_months_pkey PRIMARY KEY (workspace_id, environment, feature_id, month, customer_id)
) WITH (fillfactor=80); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_dimensions (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id bigint NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  since xid8 NOT NULL DEFAULT pg_current_xact_id(),
  dropped boolean NOT NULL DEFAULT false,
  CONSTRAINT usage_dimensions_workspace_id_environment_feature_id_fkey FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features(workspace_id, environment, id),
  CONSTRAINT usage_dimensions_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_events (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  quantity numeric NOT NULL,
  source text NOT NULL,
  deductions json NOT NULL,
  answer json NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  late boolean NOT NULL DEFAULT false,
  properties json,
  entity text COLLATE "C",
  transaction_id xid8 DEFAULT pg_current_xact_id(),
  CONSTRAINT usage_events_quantity_check CHECK ((quantity > (0)::numeric)),
  CONSTRAINT usage_events_pkey PRIMARY KEY (workspace_id, environment, idempotency_key)
) PARTITION BY HASH (workspace_id, environment, idempotency_key); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_quarters (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  quarter timestamp with time zone NOT NULL,
  quantity numeric NOT NULL,
  events bigint NOT NULL,
  CONSTRAINT usage_quarters_pkey PRIMARY KEY (workspace_id, environment, customer_id, feature_id, quarter)
) WITH (fillfactor=90); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_reservations (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  entity text COLLATE "C",
  quantity numeric NOT NULL,
  deductions json NOT NULL,
  status text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  event_id text COLLATE "C",
  CONSTRAINT usage_reservations_check CHECK (((status = 'held'::text) = (ended_at IS NULL))),
  CONSTRAINT usage_reservations_check1 CHECK (((status = 'confirmed'::text) = (event_id IS NOT NULL))),
  CONSTRAINT usage_reservations_quantity_check CHECK ((quantity > (0)::numeric)),
  CONSTRAINT usage_reservations_status_check CHECK ((status = ANY (ARRAY['held'::text, 'confirmed'::text, 'released'::text]))),
  CONSTRAINT usage_reservations_workspace_id_environment_customer_id_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT usage_reservations_workspace_id_environment_feature_id_fkey FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features(workspace_id, environment, id),
  CONSTRAINT usage_reservations_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_reversals (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  feature_id text COLLATE "C" NOT NULL,
  quantity numeric NOT NULL,
  deductions json NOT NULL,
  reason text NOT NULL,
  actor json NOT NULL,
  reversed_at timestamp with time zone NOT NULL,
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT usage_reversals_quantity_check CHECK ((quantity > (0)::numeric)),
  CONSTRAINT usage_reversals_workspace_id_environment_customer_id_fkey FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers(workspace_id, environment, id),
  CONSTRAINT usage_reversals_workspace_id_environment_feature_id_fkey FOREIGN KEY (workspace_id, environment, feature_id) REFERENCES tollgate.features(workspace_id, environment, id),
  CONSTRAINT usage_reversals_pkey PRIMARY KEY (workspace_id, environment, event_id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_rollups (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  watermark xid8 NOT NULL,
  earlier_after text COLLATE "C",
  cluster bigint NOT NULL,
  CONSTRAINT usage_rollups_pkey PRIMARY KEY (workspace_id, environment)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_value_days (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  dimension_id bigint NOT NULL,
  day timestamp with time zone NOT NULL,
  number integer NOT NULL,
  quantity numeric NOT NULL,
  events bigint NOT NULL,
  CONSTRAINT usage_value_days_pkey PRIMARY KEY (workspace_id, environment, dimension_id, day, number)
) WITH (fillfactor=80); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_value_quarters (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  dimension_id bigint NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  quarter timestamp with time zone NOT NULL,
  quantity numeric NOT NULL,
  events bigint NOT NULL,
  CONSTRAINT usage_value_quarters_pkey PRIMARY KEY (workspace_id, environment, dimension_id, customer_id, number, quarter)
) WITH (fillfactor=90); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.usage_values (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  dimension_id bigint NOT NULL,
  number integer NOT NULL,
  value text COLLATE "C",
  CONSTRAINT usage_values_pkey PRIMARY KEY (workspace_id, environment, dimension_id, number),
  CONSTRAINT usage_values_workspace_id_environment_dimension_id_value_key UNIQUE (workspace_id, environment, dimension_id, value)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.webhook_attempts (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  attempted_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  status_code integer,
  error text,
  answer text,
  CONSTRAINT webhook_attempts_duration_ms_check CHECK ((duration_ms >= 0)),
  CONSTRAINT webhook_attempts_workspace_id_environment_endpoint_id_mess_fkey FOREIGN KEY (workspace_id, environment, endpoint_id, message_id) REFERENCES tollgate.webhook_deliveries(workspace_id, environment, endpoint_id, message_id) ON DELETE CASCADE,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.webhook_deliveries (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT webhook_deliveries_check CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  CONSTRAINT webhook_deliveries_check1 CHECK (((status = 'pending'::text) = (ended_at IS NULL))),
  CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'cancelled'::text]))),
  CONSTRAINT webhook_deliveries_workspace_id_environment_endpoint_id_fkey FOREIGN KEY (workspace_id, environment, endpoint_id) REFERENCES tollgate.webhook_endpoints(workspace_id, environment, id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_workspace_id_environment_message_id_fkey FOREIGN KEY (workspace_id, environment, message_id) REFERENCES tollgate.webhook_messages(workspace_id, environment, id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (workspace_id, environment, endpoint_id, message_id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.webhook_endpoints (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  event_types text[],
  disabled_at timestamp with time zone,
  disabled_reason text,
  failing_since timestamp with time zone,
  secret_envelope jsonb NOT NULL,
  previous_secret_envelope jsonb,
  previous_secret_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  key_id text COLLATE "C" DEFAULT (secret_envelope ->> 'keyId'::text),
  previous_key_id text COLLATE "C" DEFAULT (previous_secret_envelope ->> 'keyId'::text),
  secret_last_four text NOT NULL DEFAULT ''::text,
  older_secrets jsonb NOT NULL DEFAULT '[]'::jsonb,
  older_key_ids text[] COLLATE "C" NOT NULL DEFAULT '{}'::text[],
  older_secrets_until timestamp with time zone,
  CONSTRAINT webhook_endpoints_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  CONSTRAINT webhook_endpoints_check1 CHECK (((previous_secret_envelope IS NULL) = (previous_secret_until IS NULL))),
  CONSTRAINT webhook_endpoints_description_check CHECK ((length(description) <= 500)),
  CONSTRAINT webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['operator'::text, 'failing'::text, 'gone'::text]))),
  CONSTRAINT webhook_endpoints_event_types_check CHECK (((cardinality(event_types) >= 1) AND (cardinality(event_types) <= 100))),
  CONSTRAINT webhook_endpoints_older_secrets_check CHECK (((jsonb_array_length(older_secrets) = cardinality(older_key_ids)) AND ((older_secrets = '[]'::jsonb) = (older_secrets_until IS NULL)))),
  CONSTRAINT webhook_endpoints_url_check CHECK ((length(url) <= 2048)),
  CONSTRAINT webhook_endpoints_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.webhook_events (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  event_type text NOT NULL,
  dedupe_key text COLLATE "C" NOT NULL,
  status text NOT NULL,
  reason text,
  changes jsonb NOT NULL DEFAULT '[]'::jsonb,
  deliveries integer NOT NULL DEFAULT 1,
  body bytea NOT NULL,
  headers jsonb NOT NULL,
  occurred_at timestamp with time zone,
  received_at timestamp with time zone NOT NULL,
  processed_at timestamp with time zone,
  erased_at timestamp with time zone,
  CONSTRAINT webhook_events_deliveries_check CHECK ((deliveries >= 1)),
  CONSTRAINT webhook_events_status_check CHECK ((status = ANY (ARRAY['applied'::text, 'ignored'::text, 'unmatched'::text, 'failed'::text]))),
  CONSTRAINT webhook_events_workspace_id_environment_connection_id_fkey FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections(workspace_id, environment, id),
  CONSTRAINT webhook_events_pkey PRIMARY KEY (workspace_id, environment, id),
  CONSTRAINT webhook_events_workspace_id_environment_connection_id_dedup_key UNIQUE (workspace_id, environment, connection_id, dedupe_key)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.webhook_failures (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL,
  reason text NOT NULL,
  count bigint NOT NULL DEFAULT 1,
  minute timestamp with time zone NOT NULL,
  overflow boolean NOT NULL DEFAULT false,
  first_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT webhook_failures_count_check CHECK ((count >= 1)),
  CONSTRAINT webhook_failures_kind_check CHECK ((kind = ANY (ARRAY['signature'::text, 'processing'::text, 'unavailable'::text]))),
  CONSTRAINT webhook_failures_workspace_id_environment_connection_id_fkey FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections(workspace_id, environment, id),
  CONSTRAINT webhook_failures_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.webhook_messages (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  resource_kind text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  happened_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  written_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  payload text,
  event_id text COLLATE "C",
  CONSTRAINT webhook_messages_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT webhook_messages_pkey PRIMARY KEY (workspace_id, environment, id)
) WITH (fillfactor=20); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.webhook_resends (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  since timestamp with time zone NOT NULL,
  until timestamp with time zone NOT NULL,
  undelivered_only boolean NOT NULL,
  after_created text,
  after_message text COLLATE "C",
  resent integer NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT webhook_resends_workspace_id_environment_endpoint_id_fkey FOREIGN KEY (workspace_id, environment, endpoint_id) REFERENCES tollgate.webhook_endpoints(workspace_id, environment, id) ON DELETE CASCADE,
  CONSTRAINT webhook_resends_pkey PRIMARY KEY (workspace_id, environment, id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.webhook_sequences (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  resource_kind text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  last bigint NOT NULL,
  CONSTRAINT webhook_sequences_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT webhook_sequences_pkey PRIMARY KEY (workspace_id, environment, resource_kind, resource_id)
); -- owner tollgate_owner, row-level security forced

CREATE TABLE tollgate.workspace_settings (
  workspace_id text COLLATE "C" NOT NULL,
  environment tollgate.environment_name NOT NULL,
  default_currency tollgate.currency_code NOT NULL,
  time_zone text NOT NULL,
  tax_behavior text NOT NULL,
  tax_rates jsonb NOT NULL,
  invoice_profile jsonb NOT NULL,
  default_provider text NOT NULL,
  past_due_after_days integer NOT NULL,
  grace_days integer NOT NULL,
  expire_after_days integer NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  approval_days integer NOT NULL DEFAULT 3,
  return_origins text[] NOT NULL DEFAULT '{}'::text[],
  key_requests_per_second integer NOT NULL DEFAULT 5000,
  key_concurrent_requests integer NOT NULL DEFAULT 2000,
  usage_reported_days integer NOT NULL DEFAULT 35,
  usage_grace_minutes integer NOT NULL DEFAULT 60,
  usage_alert_percents integer[] NOT NULL DEFAULT '{80,100}'::integer[],
  credits_low_percent integer DEFAULT 20,
  CONSTRAINT workspace_settings_approval_days_check CHECK (((approval_days >= 1) AND (approval_days <= 30))),
  CONSTRAINT workspace_settings_check CHECK ((expire_after_days >= grace_days)),
  CONSTRAINT workspace_settings_credits_low_percent_check CHECK (((credits_low_percent >= 1) AND (credits_low_percent <= 99))),
  CONSTRAINT workspace_settings_default_provider_check CHECK ((default_provider = ANY (ARRAY['internal'::text, 'provider_a'::text, 'provider_b'::text, 'provider_c'::text]))),
  CONSTRAINT workspace_settings_grace_days_check CHECK ((grace_days >= 0)),
  CONSTRAINT workspace_settings_key_concurrent_requests_check CHECK (((key_concurrent_requests >= 1) AND (key_concurrent_requests <= 1000000))),
  CONSTRAINT workspace_settings_key_requests_per_second_check CHECK (((key_requests_per_second >= 1) AND (key_requests_per_second <= 1000000))),
  CONSTRAINT workspace_settings_past_due_after_days_check CHECK ((past_due_after_days >= 0)),
  CONSTRAINT workspace_settings_tax_behavior_check CHECK ((tax_behavior = ANY (ARRAY['none'::text, 'exclusive'::text, 'inclusive'::text]))),
  CONSTRAINT workspace_settings_usage_alert_percents_check CHECK (((cardinality(usage_alert_percents) <= 10) AND (1 <= ALL (usage_alert_percents)) AND (1000 >= ALL (usage_alert_percents)))),
  CONSTRAINT workspace_settings_usage_grace_minutes_check CHECK (((usage_grace_minutes >= 0) AND (usage_grace_minutes <= 10080))),
  CONSTRAINT workspace_settings_usage_reported_days_check CHECK (((usage_reported_days >= 0) AND (usage_reported_days <= 366))),
  CONSTRAINT workspace_settings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES tollgate.organizations(workspace_id),
  CONSTRAINT workspace_settings_pkey PRIMARY KEY (workspace_id, environment)
); -- owner tollgate_owner, row-level security forced

-- Partitions (without the daily ones)

CREATE TABLE tollgate.developer_events_default PARTITION OF tollgate.developer_events DEFAULT; -- row-level security forced

CREATE TABLE tollgate.usage_events_00 PARTITION OF tollgate.usage_events FOR VALUES WITH (modulus 4, remainder 0); -- row-level security forced

CREATE TABLE tollgate.usage_events_01 PARTITION OF tollgate.usage_events FOR VALUES WITH (modulus 4, remainder 1); -- row-level security forced

CREATE TABLE tollgate.usage_events_02 PARTITION OF tollgate.usage_events FOR VALUES WITH (modulus 4, remainder 2); -- row-level security forced

CREATE TABLE tollgate.usage_events_03 PARTITION OF tollgate.usage_events FOR VALUES WITH (modulus 4, remainder 3); -- row-level security forced

-- Indexes that no constraint made

CREATE INDEX api_keys_hash ON tollgate.api_keys USING btree (key_hash);

CREATE INDEX audit_records_api_key ON tollgate.audit_records USING btree (workspace_id, api_key_id, created_at, id) WHERE (api_key_id IS NOT NULL);

CREATE INDEX audit_records_environment ON tollgate.audit_records USING btree (workspace_id, environment, created_at, id);

CREATE INDEX audit_records_environment_action ON tollgate.audit_records USING btree (workspace_id, environment, action, created_at, id);

CREATE INDEX audit_records_environment_operator ON tollgate.audit_records USING btree (workspace_id, environment, operator_id, created_at, id) WHERE (operator_id IS NOT NULL);

CREATE INDEX audit_records_organization ON tollgate.audit_records USING btree (workspace_id, created_at, id) WHERE (environment IS NULL);

CREATE INDEX audit_records_target ON tollgate.audit_records USING btree (workspace_id, target);

CREATE INDEX checkouts_created ON tollgate.checkouts USING btree (workspace_id, environment, created_at, id);

CREATE INDEX checkouts_customer ON tollgate.checkouts USING btree (workspace_id, environment, customer_id, created_at, id);

CREATE INDEX checkouts_kind ON tollgate.checkouts USING btree (workspace_id, environment, kind, created_at, id);

CREATE INDEX checkouts_provider ON tollgate.checkouts USING btree (workspace_id, environment, provider, created_at, id);

CREATE INDEX checkouts_status ON tollgate.checkouts USING btree (workspace_id, environment, status, created_at, id);

CREATE INDEX checkouts_wake ON tollgate.checkouts USING btree (next_wake_at) WHERE (next_wake_at IS NOT NULL);

CREATE INDEX credit_grants_customer ON tollgate.credit_grants USING btree (workspace_id, environment, customer_id, id);

CREATE INDEX credit_grants_unspent ON tollgate.credit_grants USING btree (workspace_id, environment, customer_id, expires_at) WHERE (remaining > (0)::numeric);

CREATE INDEX customer_entities_newest ON tollgate.customer_entities USING btree (workspace_id, environment, customer_id, created_at, entity) WHERE (created_at IS NOT NULL);

CREATE INDEX customer_erasures_external_id ON tollgate.customer_erasures USING btree (workspace_id, environment, external_id_hash);

CREATE INDEX customer_erasures_wake ON tollgate.customer_erasures USING btree (next_wake_at) WHERE (next_wake_at IS NOT NULL);

CREATE INDEX customers_created ON tollgate.customers USING btree (workspace_id, environment, created_at, id);

CREATE INDEX customers_email ON tollgate.customers USING btree (workspace_id, environment, lower(email) COLLATE "C") WHERE (email IS NOT NULL);

CREATE INDEX customers_name ON tollgate.customers USING btree (workspace_id, environment, lower(name) COLLATE "C") WHERE (name IS NOT NULL);

CREATE INDEX developer_events_customer ON ONLY tollgate.developer_events USING btree (workspace_id, environment, ((data ->> 'customerId'::text)), created_at, id);

CREATE INDEX developer_events_status ON ONLY tollgate.developer_events USING btree (workspace_id, environment, status, created_at, id) WHERE (status <> 'OK'::text);

CREATE INDEX developer_events_stream ON ONLY tollgate.developer_events USING btree (workspace_id, environment, transaction_id, sequence);

CREATE INDEX developer_events_type ON ONLY tollgate.developer_events USING btree (workspace_id, environment, type, created_at, id) WHERE (type <> ALL (ARRAY['USAGE_CHECKED'::text, 'USAGE_TRACKED'::text]));

CREATE INDEX disputes_payment ON tollgate.disputes USING btree (workspace_id, environment, payment_id);

CREATE INDEX former_plan_prices_plan ON tollgate.former_plan_prices USING btree (workspace_id, environment, plan_id);

CREATE INDEX idempotency_answers_created ON tollgate.idempotency_answers USING btree (created_at);

CREATE INDEX member_invitations_token ON tollgate.member_invitations USING btree (token_hash);

CREATE INDEX member_reset_links_member ON tollgate.member_reset_links USING btree (workspace_id, operator_id);

CREATE INDEX member_reset_links_token ON tollgate.member_reset_links USING btree (token_hash);

CREATE INDEX operations_accepted ON tollgate.operations USING btree (workspace_id, environment, subscription_id, created_at, id) WHERE (status = 'accepted'::text);

CREATE INDEX operations_created ON tollgate.operations USING btree (created_at);

CREATE INDEX operations_kind ON tollgate.operations USING btree (workspace_id, environment, kind, created_at, id);

CREATE INDEX operations_newest ON tollgate.operations USING btree (workspace_id, environment, created_at, id);

CREATE INDEX operations_open ON tollgate.operations USING btree (created_at) WHERE (status = ANY (ARRAY['pending'::text, 'accepted'::text]));

CREATE INDEX operations_request ON tollgate.operations USING btree (workspace_id, environment, request_id);

CREATE INDEX operations_status ON tollgate.operations USING btree (workspace_id, environment, status, created_at, id);

CREATE INDEX operations_subscription ON tollgate.operations USING btree (workspace_id, environment, subscription_id, created_at, id);

CREATE INDEX operator_devices_operator ON tollgate.operator_devices USING btree (operator_id, last_used_at);

CREATE INDEX operator_login_challenges_operator ON tollgate.operator_login_challenges USING btree (operator_id, created_at);

CREATE INDEX operator_second_factors_session ON tollgate.operator_second_factors USING btree (enrolling_session);

CREATE INDEX operator_sessions_operator ON tollgate.operator_sessions USING btree (operator_id);

CREATE UNIQUE INDEX operators_email_key ON tollgate.operators USING btree (lower(email));

CREATE INDEX payments_checkout ON tollgate.payments USING btree (workspace_id, environment, checkout_id) WHERE (checkout_id IS NOT NULL);

CREATE INDEX payments_created ON tollgate.payments USING btree (workspace_id, environment, created_at, id);

CREATE INDEX payments_customer ON tollgate.payments USING btree (workspace_id, environment, customer_id, created_at, id);

CREATE INDEX payments_not_succeeded ON tollgate.payments USING btree (workspace_id, environment, status, created_at, id) WHERE (status <> 'succeeded'::text);

CREATE INDEX payments_provider ON tollgate.payments USING btree (workspace_id, environment, provider, created_at, id);

CREATE INDEX payments_settlement ON tollgate.payments USING btree (workspace_id, environment, settlement_id) WHERE (settlement_id IS NOT NULL);

CREATE INDEX payments_subscription ON tollgate.payments USING btree (workspace_id, environment, subscription_id, created_at, id);

CREATE INDEX payments_transaction ON tollgate.payments USING btree (workspace_id, environment, transaction_id);

CREATE INDEX payments_unsettled ON tollgate.payments USING btree (workspace_id, environment, provider, currency, received_at) WHERE ((settlement_id IS NULL) AND (status = 'succeeded'::text));

CREATE INDEX plan_entitlements_feature ON tollgate.plan_entitlements USING btree (workspace_id, environment, feature_id);

CREATE INDEX plans_plan_group ON tollgate.plans USING btree (workspace_id, environment, plan_group_id);

CREATE INDEX platform_audit_minute ON tollgate.platform_audit USING btree (action, minute);

CREATE INDEX platform_audit_newest ON tollgate.platform_audit USING btree (created_at, id);

CREATE UNIQUE INDEX platform_audit_overflow ON tollgate.platform_audit USING btree (action, COALESCE(host, ''::text), COALESCE(provider, ''::text), minute) WHERE overflow;

CREATE INDEX portal_sessions_created ON tollgate.portal_sessions USING btree (workspace_id, environment, created_at);

CREATE INDEX portal_sessions_customer ON tollgate.portal_sessions USING btree (workspace_id, environment, customer_id);

CREATE INDEX portal_sessions_link ON tollgate.portal_sessions USING btree (link_hash);

CREATE INDEX portal_sessions_session ON tollgate.portal_sessions USING btree (session_hash) WHERE (session_hash IS NOT NULL);

CREATE INDEX provider_connections_account ON tollgate.provider_connections USING btree (provider, environment, account_reference) WHERE (can_verify AND (disabled_at IS NULL) AND (account_reference IS NOT NULL));

CREATE INDEX provider_connections_candidates ON tollgate.provider_connections USING btree (provider, environment, created_at, id);

CREATE INDEX provider_connections_id ON tollgate.provider_connections USING btree (id);

CREATE INDEX provider_connections_key ON tollgate.provider_connections USING btree (key_id);

CREATE INDEX provider_connections_provider ON tollgate.provider_connections USING btree (workspace_id, environment, provider);

CREATE INDEX provider_connections_verifying ON tollgate.provider_connections USING btree (provider, environment, created_at, id) WHERE (can_verify AND (disabled_at IS NULL));

CREATE INDEX provider_references_lookup ON tollgate.provider_references USING btree (provider, environment, kind, reference);

CREATE INDEX provider_references_target ON tollgate.provider_references USING btree (workspace_id, environment, target_id);

CREATE INDEX refunds_created ON tollgate.refunds USING btree (workspace_id, environment, created_at, id);

CREATE UNIQUE INDEX refunds_dispute ON tollgate.refunds USING btree (workspace_id, environment, dispute_id) WHERE (dispute_id IS NOT NULL);

CREATE INDEX refunds_payment ON tollgate.refunds USING btree (workspace_id, environment, payment_id);

CREATE INDEX refunds_pending ON tollgate.refunds USING btree (workspace_id, environment, created_at, id) WHERE (status = 'pending'::text);

CREATE INDEX refunds_returned_settlement ON tollgate.refunds USING btree (workspace_id, environment, returned_settlement_id) WHERE (returned_settlement_id IS NOT NULL);

CREATE INDEX refunds_settlement ON tollgate.refunds USING btree (workspace_id, environment, settlement_id) WHERE (settlement_id IS NOT NULL);

CREATE INDEX refunds_wake ON tollgate.refunds USING btree (next_wake_at) WHERE (next_wake_at IS NOT NULL);

CREATE INDEX settlement_lines_unmatched ON tollgate.settlement_lines USING btree (workspace_id, environment, reference) WHERE (target_id IS NULL);

CREATE INDEX settlements_connection ON tollgate.settlements USING btree (workspace_id, environment, connection_id, period_end) WHERE (connection_id IS NOT NULL);

CREATE INDEX settlements_created ON tollgate.settlements USING btree (workspace_id, environment, created_at, id);

CREATE UNIQUE INDEX settlements_reference ON tollgate.settlements USING btree (workspace_id, environment, connection_id, reference) WHERE (reference IS NOT NULL);

CREATE INDEX subscription_history_subscription ON tollgate.subscription_history USING btree (workspace_id, environment, subscription_id, sequence);

CREATE INDEX subscription_transactions_created ON tollgate.subscription_transactions USING btree (workspace_id, environment, created_at, id);

CREATE INDEX subscription_transactions_customer ON tollgate.subscription_transactions USING btree (workspace_id, environment, customer_id, created_at, id);

CREATE INDEX subscription_transactions_not_paid ON tollgate.subscription_transactions USING btree (workspace_id, environment, status, created_at, id) WHERE (status <> 'paid'::text);

CREATE INDEX subscription_transactions_open ON tollgate.subscription_transactions USING btree (workspace_id, environment, subscription_id, due_at) WHERE (status = ANY (ARRAY['pending'::text, 'partially_paid'::text]));

CREATE UNIQUE INDEX subscription_transactions_period ON tollgate.subscription_transactions USING btree (workspace_id, environment, subscription_id, period_start) WHERE (kind = ANY (ARRAY['initial'::text, 'renewal'::text]));

CREATE INDEX subscription_transactions_subscription ON tollgate.subscription_transactions USING btree (workspace_id, environment, subscription_id, created_at, id);

CREATE INDEX subscriptions_at_provider ON tollgate.subscriptions USING btree (workspace_id, environment, created_at, id) WHERE ((status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text])) AND (((provider_work ->> 'unsettled'::text) IS NOT NULL) OR ((provider_work ->> 'request'::text) IS NOT NULL)));

CREATE INDEX subscriptions_boundary ON tollgate.subscriptions USING btree (workspace_id, environment, LEAST(current_period_end, cancel_at), id) WHERE (status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text]));

CREATE INDEX subscriptions_created ON tollgate.subscriptions USING btree (workspace_id, environment, created_at, id);

CREATE INDEX subscriptions_customer ON tollgate.subscriptions USING btree (workspace_id, environment, customer_id, created_at);

CREATE INDEX subscriptions_drift ON tollgate.subscriptions USING btree (workspace_id, environment, id) WHERE (drift IS NOT NULL);

CREATE UNIQUE INDEX subscriptions_open ON tollgate.subscriptions USING btree (workspace_id, environment, customer_id, plan_group_id) WHERE (status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text]));

CREATE INDEX subscriptions_past_due ON tollgate.subscriptions USING btree (environment) WHERE (status = 'past_due'::text);

CREATE INDEX subscriptions_plan ON tollgate.subscriptions USING btree (workspace_id, environment, plan_id);

CREATE INDEX subscriptions_preparation_failed ON tollgate.subscriptions USING btree (workspace_id, environment, created_at, id) WHERE (((metadata -> 'nextCycleSync'::text) ->> 'state'::text) = 'failed'::text);

CREATE INDEX subscriptions_provider ON tollgate.subscriptions USING btree (workspace_id, environment, provider, created_at, id);

CREATE INDEX subscriptions_scheduled_plan ON tollgate.subscriptions USING btree (workspace_id, environment, scheduled_plan_id) WHERE (scheduled_plan_id IS NOT NULL);

CREATE INDEX subscriptions_status ON tollgate.subscriptions USING btree (workspace_id, environment, status, created_at, id);

CREATE INDEX subscriptions_wake ON tollgate.subscriptions USING btree (next_wake_at) WHERE (next_wake_at IS NOT NULL);

CREATE UNIQUE INDEX usage_dimensions_name ON tollgate.usage_dimensions USING btree (workspace_id, environment, feature_id, name) WHERE (NOT dropped);

CREATE INDEX usage_events_customer ON ONLY tollgate.usage_events USING btree (customer_id, (
CASE
    WHEN (used_at IS NULL) THEN recorded_at
    ELSE used_at
END), id);

CREATE INDEX usage_events_entity ON ONLY tollgate.usage_events USING btree (customer_id, entity, (
CASE
    WHEN (used_at IS NULL) THEN recorded_at
    ELSE used_at
END), id) WHERE (entity IS NOT NULL);

CREATE INDEX usage_events_feature ON ONLY tollgate.usage_events USING btree (feature_id, (
CASE
    WHEN (used_at IS NULL) THEN recorded_at
    ELSE used_at
END), id);

CREATE INDEX usage_events_id ON ONLY tollgate.usage_events USING btree (workspace_id, environment, id) WHERE (id IS NOT NULL);

CREATE INDEX usage_events_late ON ONLY tollgate.usage_events USING btree (workspace_id, environment, (
CASE
    WHEN (used_at IS NULL) THEN recorded_at
    ELSE used_at
END), id) WHERE late;

CREATE INDEX usage_events_transaction ON ONLY tollgate.usage_events USING btree (workspace_id, environment, transaction_id) WHERE (transaction_id IS NOT NULL);

CREATE INDEX usage_reservations_customer ON tollgate.usage_reservations USING btree (workspace_id, environment, customer_id, created_at, id) WHERE (created_at IS NOT NULL);

CREATE INDEX usage_reservations_expiry ON tollgate.usage_reservations USING btree (workspace_id, environment, expires_at) WHERE (quantity IS NOT NULL);

CREATE INDEX usage_reservations_held ON tollgate.usage_reservations USING btree (workspace_id, environment, customer_id, expires_at) WHERE (status = 'held'::text);

CREATE INDEX usage_reversals_transaction ON tollgate.usage_reversals USING btree (workspace_id, environment, transaction_id) WHERE (transaction_id IS NOT NULL);

CREATE INDEX webhook_attempts_of_message ON tollgate.webhook_attempts USING btree (workspace_id, environment, message_id, attempted_at);

CREATE INDEX webhook_deliveries_due ON tollgate.webhook_deliveries USING btree (endpoint_id, next_attempt_at) WHERE (status = 'pending'::text);

CREATE INDEX webhook_deliveries_not_delivered ON tollgate.webhook_deliveries USING btree (workspace_id, environment, endpoint_id, status, message_id) WHERE (status = ANY (ARRAY['failed'::text, 'cancelled'::text]));

CREATE INDEX webhook_deliveries_of_message ON tollgate.webhook_deliveries USING btree (workspace_id, environment, message_id);

CREATE INDEX webhook_endpoints_ids ON tollgate.webhook_endpoints USING btree (id);

CREATE INDEX webhook_events_connection ON tollgate.webhook_events USING btree (workspace_id, environment, connection_id, received_at, id);

CREATE INDEX webhook_events_not_applied ON tollgate.webhook_events USING btree (workspace_id, environment, status, received_at, id) WHERE (status <> 'applied'::text);

CREATE INDEX webhook_events_provider ON tollgate.webhook_events USING btree (workspace_id, environment, provider, received_at, id);

CREATE INDEX webhook_events_received ON tollgate.webhook_events USING btree (workspace_id, environment, received_at, id);

CREATE INDEX webhook_failures_kind ON tollgate.webhook_failures USING btree (workspace_id, environment, kind, first_at, id);

CREATE INDEX webhook_failures_minute ON tollgate.webhook_failures USING btree (workspace_id, environment, connection_id, minute);

CREATE INDEX webhook_failures_newest ON tollgate.webhook_failures USING btree (workspace_id, environment, first_at, id);

CREATE UNIQUE INDEX webhook_failures_overflow ON tollgate.webhook_failures USING btree (workspace_id, environment, connection_id, kind, minute) WHERE overflow;

CREATE INDEX webhook_messages_newest ON tollgate.webhook_messages USING btree (workspace_id, environment, created_at, id);

CREATE UNIQUE INDEX webhook_messages_of_resource ON tollgate.webhook_messages USING btree (workspace_id, environment, resource_kind, resource_id, sequence);

CREATE INDEX webhook_messages_stream ON tollgate.webhook_messages USING btree (workspace_id, environment, written_by, id);

CREATE INDEX webhook_messages_type ON tollgate.webhook_messages USING btree (workspace_id, environment, type, created_at, id);

CREATE UNIQUE INDEX webhook_resends_open ON tollgate.webhook_resends USING btree (workspace_id, environment, endpoint_id) WHERE (ended_at IS NULL);

-- Policies

CREATE POLICY lookup ON tollgate.api_keys FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.api_keys FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY organization ON tollgate.audit_records FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment IS NULL) OR ((environment)::text = ( SELECT tollgate.environment() AS environment)))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment IS NULL) OR ((environment)::text = ( SELECT tollgate.environment() AS environment)))));

CREATE POLICY lookup ON tollgate.checkouts FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.checkouts FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY platform ON tollgate.credential_migrations FOR ALL TO tollgate_runtime
  USING (true)
  WITH CHECK (true);

CREATE POLICY tenant ON tollgate.credit_grants FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.customer_entities FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.customer_erasures FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.customer_erasures FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.customers FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.customers FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.developer_events FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.developer_events FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY retention ON tollgate.developer_events_default FOR DELETE TO tollgate_worker
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment)) AND (created_at < (now() - '1 day'::interval))));

CREATE POLICY tenant ON tollgate.developer_events_default FOR SELECT TO tollgate_worker
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.disputes FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.earlier_plan_prices FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.earlier_tax_settings FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.entity_counters FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.features FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.former_entitlement_terms FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.former_plan_prices FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.idempotency_answers FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY platform ON tollgate.key_checks FOR ALL TO tollgate_runtime
  USING (true)
  WITH CHECK (true);

CREATE POLICY platform ON tollgate.key_ring_runtimes FOR ALL TO tollgate_runtime
  USING (true)
  WITH CHECK (true);

CREATE POLICY platform ON tollgate.key_ring_state FOR ALL TO tollgate_runtime
  USING (true)
  WITH CHECK (true);

CREATE POLICY platform ON tollgate.login_throttle FOR ALL TO tollgate_runtime
  USING (true)
  WITH CHECK (true);

CREATE POLICY lookup ON tollgate.member_invitations FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY organization ON tollgate.member_invitations FOR ALL TO tollgate_runtime
  USING ((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)))
  WITH CHECK ((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)));

CREATE POLICY lookup ON tollgate.member_reset_links FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY organization ON tollgate.member_reset_links FOR ALL TO tollgate_runtime
  USING ((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)))
  WITH CHECK ((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)));

CREATE POLICY lookup ON tollgate.operations FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.operations FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY platform ON tollgate.operator_devices FOR ALL TO tollgate_app
  USING (true)
  WITH CHECK (true);

CREATE POLICY expiry ON tollgate.operator_login_challenges FOR ALL TO tollgate_worker
  USING (true)
  WITH CHECK (true);

CREATE POLICY platform ON tollgate.operator_login_challenges FOR ALL TO tollgate_app
  USING (true)
  WITH CHECK (true);

CREATE POLICY platform ON tollgate.operator_recovery_codes FOR ALL TO tollgate_app
  USING (true)
  WITH CHECK (true);

CREATE POLICY lookup ON tollgate.operator_second_factors FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY platform ON tollgate.operator_second_factors FOR ALL TO tollgate_app
  USING (true)
  WITH CHECK (true);

CREATE POLICY platform ON tollgate.operator_sessions FOR ALL TO tollgate_runtime
  USING (true)
  WITH CHECK (true);

CREATE POLICY platform ON tollgate.operators FOR ALL TO tollgate_runtime
  USING (true)
  WITH CHECK (true);

CREATE POLICY lookup ON tollgate.organization_members FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY organization ON tollgate.organization_members FOR ALL TO tollgate_runtime
  USING ((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)))
  WITH CHECK ((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)));

CREATE POLICY lookup ON tollgate.organizations FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY organization ON tollgate.organizations FOR ALL TO tollgate_runtime
  USING ((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)))
  WITH CHECK ((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)));

CREATE POLICY tenant ON tollgate.payments FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.plan_entitlements FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.plan_groups FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.plans FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.plans_once_subscribed FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY overflow ON tollgate.platform_audit FOR ALL TO tollgate_owner
  USING (overflow)
  WITH CHECK (overflow);

CREATE POLICY platform ON tollgate.platform_audit FOR ALL TO tollgate_runtime
  USING (true)
  WITH CHECK (true);

CREATE POLICY retention ON tollgate.platform_audit FOR DELETE TO tollgate_owner
  USING ((created_at < (now() - '30 days'::interval)));

CREATE POLICY retention_read ON tollgate.platform_audit FOR SELECT TO tollgate_owner
  USING ((created_at < (now() - '30 days'::interval)));

CREATE POLICY young ON tollgate.platform_audit AS RESTRICTIVE FOR DELETE TO tollgate_owner
  USING ((created_at < (now() - '30 days'::interval)));

CREATE POLICY lookup ON tollgate.portal_sessions FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.portal_sessions FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.portal_settings FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.provider_connections FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.provider_connections FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.provider_references FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.provider_references FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.refunds FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.refunds FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.sandbox_clocks FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.sandbox_clocks FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY organization ON tollgate.sandbox_secret_fingerprints FOR ALL TO tollgate_runtime
  USING ((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)))
  WITH CHECK ((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)));

CREATE POLICY tenant ON tollgate.settlement_lines FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.settlements FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.subscription_history FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.subscription_transactions FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.subscriptions FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.subscriptions FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.usage_counters FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.usage_customer_days FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.usage_customer_months FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.usage_dimensions FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.usage_dimensions FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.usage_events FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.usage_events FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.usage_quarters FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.usage_reservations FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.usage_reversals FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.usage_reversals FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.usage_rollups FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.usage_rollups FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.usage_value_days FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.usage_value_quarters FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.usage_values FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.webhook_attempts FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.webhook_deliveries FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.webhook_deliveries FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.webhook_endpoints FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.webhook_endpoints FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.webhook_events FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.webhook_failures FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.webhook_messages FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.webhook_resends FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.webhook_resends FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY tenant ON tollgate.webhook_sequences FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

CREATE POLICY lookup ON tollgate.workspace_settings FOR SELECT TO tollgate_lookup
  USING (true);

CREATE POLICY tenant ON tollgate.workspace_settings FOR ALL TO tollgate_runtime
  USING (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))))
  WITH CHECK (((workspace_id = ( SELECT tollgate.workspace_id() AS workspace_id)) AND ((environment)::text = ( SELECT tollgate.environment() AS environment))));

-- Functions and procedures

CREATE OR REPLACE FUNCTION tollgate.add_to_customer_months()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO tollgate.usage_customer_months AS m
    (workspace_id, environment, feature_id, month, customer_id, quantity, events)
  SELECT workspace_id, environment, feature_id, date_trunc('month', day, 'UTC') AS month, customer_id, sum(quantity), sum(events)
    FROM added GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (workspace_id, environment, feature_id, month, customer_id) DO UPDATE
    SET quantity = m.quantity + EXCLUDED.quantity, events = m.events + EXCLUDED.events;
  RETURN NULL;
END
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.announce(workspace text, env tollgate.environment_name, message text, message_type text, kind text, resource text, happened timestamp with time zone, created timestamp with time zone, event text DEFAULT NULL::text, only_to text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog'
AS $function$
WITH numbered AS (
  INSERT INTO tollgate.webhook_sequences AS s (workspace_id, environment, resource_kind, resource_id, last)
  VALUES (workspace, env, kind, resource, 1)
  ON CONFLICT (workspace_id, environment, resource_kind, resource_id) DO UPDATE SET last = s.last + 1
  RETURNING last
), written AS (
  INSERT INTO tollgate.webhook_messages
    (workspace_id, environment, id, type, resource_kind, resource_id, sequence, happened_at, created_at, event_id)
  SELECT workspace, env, message, message_type, kind, resource, last,
         coalesce(happened, created + coalesce(
           (SELECT offset_ms * interval '1 millisecond' FROM tollgate.sandbox_clocks c
             WHERE c.workspace_id = workspace AND c.environment = env), interval '0')),
         created, event
    FROM numbered
  RETURNING id
)
INSERT INTO tollgate.webhook_deliveries
  (workspace_id, environment, endpoint_id, message_id, next_attempt_at, created_at)
SELECT workspace, env, e.id, w.id, created, created
  FROM tollgate.webhook_endpoints e CROSS JOIN written w
 WHERE e.workspace_id = workspace AND e.environment = env AND e.disabled_at IS NULL
   AND CASE WHEN only_to IS NULL THEN e.event_types IS NULL OR message_type = ANY (e.event_types) ELSE e.id = only_to END
   FOR KEY SHARE OF e
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.assert_equal(actual numeric, expected numeric)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  IF coalesce(actual, 0) <> expected THEN
    RAISE EXCEPTION 'expected %, found %', expected, actual USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN true;
END
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.change_customer_months()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO tollgate.usage_customer_months AS m
    (workspace_id, environment, feature_id, month, customer_id, quantity, events)
  SELECT workspace_id, environment, feature_id, date_trunc('month', day, 'UTC') AS month, customer_id, sum(quantity), sum(events)
    FROM (SELECT * FROM added
          UNION ALL
          SELECT workspace_id, environment, feature_id, day, customer_id, -quantity, -events FROM taken) AS c
   GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (workspace_id, environment, feature_id, month, customer_id) DO UPDATE
    SET quantity = m.quantity + EXCLUDED.quantity, events = m.events + EXCLUDED.events;
  RETURN NULL;
END
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.count_failing_jobs(at_most integer)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT count(*) FROM (
          SELECT FROM graphile_worker._private_jobs j
            JOIN graphile_worker._private_tasks t ON t.id = j.task_id
           WHERE j.attempts >= 5 AND j.key IS NOT NULL
             AND (j.attempts >= j.max_attempts OR t.identifier LIKE 'poke-%') LIMIT at_most) AS f $function$; -- owner tollgate_outbox

CREATE OR REPLACE FUNCTION tollgate.count_platform_audit(new_id text, act text, act_host text, act_provider text, act_minute timestamp with time zone, first_at timestamp with time zone, until_at timestamp with time zone, times bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
INSERT INTO tollgate.platform_audit AS a (id, action, host, provider, detail, minute, overflow, created_at, last_at, count)
VALUES (new_id, act, act_host, act_provider, '{}', act_minute, true, first_at, until_at, times)
ON CONFLICT (action, coalesce(host, ''), coalesce(provider, ''), minute) WHERE overflow
DO UPDATE SET count = a.count + excluded.count, last_at = greatest(a.last_at, excluded.last_at)
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.count_second_factors()
 RETURNS TABLE(key_id text, envelopes bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT f.key_id, count(*) FROM tollgate.operator_second_factors f GROUP BY f.key_id $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.end_older_secrets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.older_secrets := '[]';
  NEW.older_key_ids := '{}';
  NEW.older_secrets_until := NULL;
  RETURN NEW;
END
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.enqueue(task text, payload json, key text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
BEGIN
  IF task NOT IN ('poke-subscription', 'poke-checkout', 'poke-refund', 'poke-erasure', 'reschedule-subscriptions') THEN
    RAISE EXCEPTION 'tollgate.enqueue: unknown task %', task;
  END IF;
  PERFORM graphile_worker.add_job(task, payload, job_key => key,
    priority => CASE WHEN payload ->> 'environment' = 'sandbox' THEN 10 ELSE 0 END);
END
$function$; -- owner tollgate_outbox

CREATE OR REPLACE FUNCTION tollgate.enqueue_each(task text, payloads json[], keys text[], run_ats timestamp with time zone[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
BEGIN
  IF task NOT IN ('poke-subscription', 'poke-checkout') THEN
    RAISE EXCEPTION 'tollgate.enqueue_each: unknown task %', task;
  END IF;
  IF cardinality(keys) > 0 THEN
    PERFORM graphile_worker.add_jobs(ARRAY(
      SELECT ROW(task, j.payload, NULL, j.run_at, NULL, j.key,
                 CASE WHEN j.payload ->> 'environment' = 'sandbox' THEN 10 ELSE 0 END, NULL)::graphile_worker.job_spec
        FROM unnest(payloads, keys, run_ats) AS j (payload, key, run_at)));
  END IF;
END
$function$; -- owner tollgate_outbox

CREATE OR REPLACE FUNCTION tollgate.environment()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$ SELECT NULLIF(current_setting('tollgate.environment', true), '') $function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.find_account_connections(at_environment text, of_provider text, accounts text[], of_workspace integer, at_most integer)
 RETURNS TABLE(account text, workspace_id text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT m.account, m.workspace_id, m.id
          FROM (SELECT n.*, row_number() OVER (PARTITION BY n.account ORDER BY n.nth, n.created_at, n.id) AS position
                  FROM (SELECT a.account, c.workspace_id, c.id, c.created_at,
                               row_number() OVER (PARTITION BY a.account, c.workspace_id ORDER BY c.created_at, c.id) AS nth
                          FROM (SELECT DISTINCT unnest(accounts) AS account) AS a
                          JOIN tollgate.provider_connections c ON c.account_reference = a.account
                         WHERE c.environment = at_environment AND c.provider = of_provider
                           AND c.disabled_at IS NULL AND c.can_verify) AS n
                 WHERE n.nth <= of_workspace) AS m
         WHERE m.position <= at_most
         ORDER BY m.account, m.position $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_api_key(hash bytea)
 RETURNS TABLE(workspace_id text, environment text, id text, expires_at timestamp with time zone, revoked_at timestamp with time zone, scopes text[], requests_per_second integer, concurrent_requests integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
    SELECT k.workspace_id, k.environment, k.id, k.expires_at, k.revoked_at, k.scopes,
           s.key_requests_per_second, s.key_concurrent_requests
      FROM tollgate.api_keys k
      JOIN tollgate.workspace_settings s ON s.workspace_id = k.workspace_id AND s.environment = k.environment
     WHERE k.key_hash = hash
  $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_connection(connection text, at_environment text, of_provider text)
 RETURNS TABLE(workspace_id text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT c.workspace_id, c.id FROM tollgate.provider_connections c
         WHERE c.id = connection AND c.environment = at_environment AND c.provider = of_provider AND c.disabled_at IS NULL $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_connection_candidates(at_environment text, of_provider text, at_most integer)
 RETURNS TABLE(workspace_id text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT c.workspace_id, c.id FROM tollgate.provider_connections c
         WHERE c.environment = at_environment AND c.provider = of_provider AND c.disabled_at IS NULL
         ORDER BY c.created_at, c.id LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_connections_of_references(at_environment text, of_provider text, kinds text[], refs text[], at_most integer)
 RETURNS TABLE(workspace_id text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT DISTINCT c.workspace_id, c.id
          FROM unnest(kinds, refs) AS q (kind, reference)
          JOIN tollgate.provider_references r ON r.provider = of_provider AND r.environment = at_environment
           AND r.kind = q.kind AND r.reference = q.reference
          JOIN tollgate.provider_connections c ON c.workspace_id = r.workspace_id AND c.environment = r.environment
           AND c.id = r.connection_id
         WHERE c.disabled_at IS NULL
         ORDER BY 1, 2 LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_customer_events(customer text, from_at timestamp with time zone, to_at timestamp with time zone, before_at timestamp with time zone, before_id text, at_most integer)
 RETURNS TABLE(created_at timestamp with time zone, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO 'pg_catalog'
AS $function$
    SELECT e.created_at, e.id FROM tollgate.developer_events e
     WHERE e.workspace_id = tollgate.workspace_id() AND e.environment = tollgate.environment()
       AND e.data ->> 'customerId' = customer AND e.created_at >= from_at AND e.created_at < to_at
       AND e.created_at <= before_at AND (e.created_at < before_at OR e.id < before_id)
     ORDER BY e.created_at DESC, e.id DESC LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_customers(search text, from_at timestamp with time zone, to_at timestamp with time zone, before_id text, at_most integer)
 RETURNS TABLE(id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO 'pg_catalog'
AS $function$
    WITH matching AS MATERIALIZED (
      SELECT c.id, c.created_at FROM tollgate.customers c
       WHERE c.workspace_id = tollgate.workspace_id() AND c.environment = tollgate.environment()
         AND c.external_id >= search AND c.external_id < search || chr(1114111)
      UNION
      SELECT c.id, c.created_at FROM tollgate.customers c
       WHERE c.workspace_id = tollgate.workspace_id() AND c.environment = tollgate.environment()
         AND lower(c.name) COLLATE "C" >= lower(search) AND lower(c.name) COLLATE "C" < lower(search) || chr(1114111)
      UNION
      SELECT c.id, c.created_at FROM tollgate.customers c
       WHERE c.workspace_id = tollgate.workspace_id() AND c.environment = tollgate.environment()
         AND lower(c.email) COLLATE "C" >= lower(search) AND lower(c.email) COLLATE "C" < lower(search) || chr(1114111))
    SELECT m.id FROM matching m
     WHERE (from_at IS NULL OR m.created_at >= from_at) AND (to_at IS NULL OR m.created_at < to_at)
       AND (before_id IS NULL OR m.id < before_id)
     ORDER BY m.id DESC LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_due_webhook_endpoints(at timestamp with time zone, after text, at_most integer)
 RETURNS TABLE(workspace_id text, environment text, endpoint_id text, disabled boolean, failing boolean, scanned_to text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
WITH RECURSIVE waiting AS (
  (SELECT d.workspace_id, d.environment, d.endpoint_id, d.next_attempt_at, 1 AS place
     FROM tollgate.webhook_deliveries d
    WHERE d.status = 'pending' AND d.endpoint_id > after
    ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1)
  UNION ALL
  SELECT n.workspace_id, n.environment, n.endpoint_id, n.next_attempt_at, w.place + 1
    FROM waiting w CROSS JOIN LATERAL (
      SELECT d.workspace_id, d.environment, d.endpoint_id, d.next_attempt_at
        FROM tollgate.webhook_deliveries d
       WHERE d.status = 'pending' AND d.endpoint_id > w.endpoint_id
       ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1) n
   WHERE w.place < at_most
), scanned AS (
  SELECT CASE WHEN count(*) < at_most THEN NULL ELSE max(v.endpoint_id) END AS upto FROM waiting v
), due AS (
  SELECT w.workspace_id, w.environment::text, w.endpoint_id, e.disabled_at IS NOT NULL AS disabled,
         e.failing_since IS NOT NULL AS failing
    FROM waiting w
    JOIN tollgate.webhook_endpoints e
      ON e.workspace_id = w.workspace_id AND e.environment = w.environment AND e.id = w.endpoint_id
   WHERE w.next_attempt_at <= at OR e.disabled_at IS NOT NULL
)
SELECT d.workspace_id, d.environment, d.endpoint_id, d.disabled, d.failing, s.upto
  FROM scanned s LEFT JOIN due d ON true
 WHERE d.endpoint_id IS NOT NULL OR s.upto IS NOT NULL
 ORDER BY d.endpoint_id
$function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_invitation(token bytea)
 RETURNS TABLE(workspace_id text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT i.workspace_id, i.id FROM tollgate.member_invitations i WHERE i.token_hash = token $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_memberships(operator text)
 RETURNS TABLE(workspace_id text, role text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT m.workspace_id, m.role FROM tollgate.organization_members m WHERE m.operator_id = operator $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_memberships_of(operator text)
 RETURNS TABLE(workspace_id text, role text, must_enrol boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT m.workspace_id, m.role,
               o.require_second_factor AND NOT EXISTS (
                 SELECT FROM tollgate.operator_second_factors f WHERE f.operator_id = operator AND f.confirmed_at IS NOT NULL)
          FROM tollgate.organization_members m
          JOIN tollgate.organizations o ON o.workspace_id = m.workspace_id
         WHERE m.operator_id = operator $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_named_connections(ids text[], at_environments text[], of_providers text[])
 RETURNS TABLE(place integer, workspace_id text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT q.place::integer, c.workspace_id, c.id
          FROM unnest(ids, at_environments, of_providers) WITH ORDINALITY AS q (id, environment, provider, place)
          JOIN tollgate.provider_connections c
            ON c.id = q.id AND c.environment = q.environment AND c.provider = q.provider
         WHERE c.disabled_at IS NULL $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_open_operations(before timestamp with time zone, at_most integer)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT o.workspace_id, o.environment, o.id FROM tollgate.operations o
         WHERE o.created_at < before AND (o.status = 'accepted' OR (o.status = 'pending' AND o.resendable))
         ORDER BY o.created_at LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_open_webhook_resends(at_most integer)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT r.workspace_id, r.environment::text, r.id FROM tollgate.webhook_resends r
         WHERE r.ended_at IS NULL ORDER BY r.created_at, r.id LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_overdue_checkouts(before timestamp with time zone, at_most integer)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT k.workspace_id, k.environment, k.id
          FROM tollgate.checkouts k
          LEFT JOIN tollgate.sandbox_clocks c ON c.workspace_id = k.workspace_id AND c.environment = k.environment
         WHERE k.next_wake_at < before + coalesce(c.offset_ms, 0) * interval '1 millisecond'
         ORDER BY k.next_wake_at LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_overdue_checkouts(before timestamp with time zone, at_most integer, of_environment text)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT k.workspace_id, k.environment, k.id
          FROM tollgate.checkouts k
          LEFT JOIN tollgate.sandbox_clocks c ON c.workspace_id = k.workspace_id AND c.environment = k.environment
         WHERE k.next_wake_at < before + coalesce(c.offset_ms, 0) * interval '1 millisecond'
           AND (of_environment IS NULL OR k.environment = of_environment)
         ORDER BY k.next_wake_at LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_overdue_erasures(before timestamp with time zone, at_most integer, of_environment text)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT e.workspace_id, e.environment, e.id FROM tollgate.customer_erasures e
         WHERE e.next_wake_at < before AND (of_environment IS NULL OR e.environment = of_environment)
         ORDER BY e.next_wake_at LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_overdue_refunds(before timestamp with time zone, at_most integer)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT r.workspace_id, r.environment, r.id FROM tollgate.refunds r
         WHERE r.next_wake_at < before ORDER BY r.next_wake_at LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_overdue_refunds(before timestamp with time zone, at_most integer, of_environment text)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT r.workspace_id, r.environment, r.id FROM tollgate.refunds r
         WHERE r.next_wake_at < before AND (of_environment IS NULL OR r.environment = of_environment)
         ORDER BY r.next_wake_at LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_overdue_subscriptions(before timestamp with time zone, at_most integer)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT o.workspace_id, o.environment, o.id FROM (
          SELECT s.workspace_id, s.environment, s.id, s.next_wake_at FROM tollgate.subscriptions s
           WHERE s.next_wake_at < before
           UNION
          SELECT s.workspace_id, s.environment, s.id, s.next_wake_at
            FROM tollgate.sandbox_clocks c
            JOIN tollgate.subscriptions s ON s.workspace_id = c.workspace_id AND s.environment = c.environment
           WHERE c.offset_ms > 0 AND s.next_wake_at < before + c.offset_ms * interval '1 millisecond') AS o
        ORDER BY o.next_wake_at LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_overdue_subscriptions(before timestamp with time zone, at_most integer, of_environment text)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT o.workspace_id, o.environment, o.id FROM (
          SELECT s.workspace_id, s.environment, s.id, s.next_wake_at FROM tollgate.subscriptions s
           WHERE s.next_wake_at < before AND s.status <> 'incomplete'
             AND (of_environment IS NULL OR s.environment = of_environment)
           UNION
          SELECT s.workspace_id, s.environment, s.id, s.next_wake_at
            FROM tollgate.sandbox_clocks c
            JOIN tollgate.subscriptions s ON s.workspace_id = c.workspace_id AND s.environment = c.environment
           WHERE c.offset_ms > 0 AND s.next_wake_at < before + c.offset_ms * interval '1 millisecond'
             AND s.status <> 'incomplete'
             AND (of_environment IS NULL OR s.environment = of_environment)) AS o
        ORDER BY o.next_wake_at LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_portal_link(hash bytea, of_environment text)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT s.workspace_id, s.environment, s.id FROM tollgate.portal_sessions s
         WHERE s.link_hash = hash AND s.environment = of_environment $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_portal_session(hash bytea, of_environment text)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT s.workspace_id, s.environment, s.id FROM tollgate.portal_sessions s
         WHERE s.session_hash = hash AND s.environment = of_environment $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_referred_connections(at_environment text, of_provider text, places integer[], kinds text[], refs text[], of_workspace integer, at_most integer)
 RETURNS TABLE(place integer, workspace_id text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT m.place, m.workspace_id, m.id
          FROM (SELECT n.*, row_number() OVER (PARTITION BY n.place ORDER BY n.nth, n.workspace_id, n.id) AS position
                  FROM (SELECT d.*, row_number() OVER (PARTITION BY d.place, d.workspace_id ORDER BY d.id) AS nth
                          FROM (SELECT DISTINCT q.place, c.workspace_id, c.id
                                  FROM unnest(places, kinds, refs) AS q (place, kind, reference)
                                  JOIN tollgate.provider_references r ON r.provider = of_provider
                                   AND r.environment = at_environment AND r.kind = q.kind AND r.reference = q.reference
                                  JOIN tollgate.provider_connections c ON c.workspace_id = r.workspace_id
                                   AND c.environment = r.environment AND c.id = r.connection_id
                                 WHERE c.disabled_at IS NULL AND c.can_verify) AS d) AS n
                 WHERE n.nth <= of_workspace) AS m
         WHERE m.position <= at_most
         ORDER BY m.place, m.position $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_reset_link(token bytea)
 RETURNS TABLE(workspace_id text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT l.workspace_id, l.id FROM tollgate.member_reset_links l WHERE l.token_hash = token $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_unsent_operations(before timestamp with time zone, at_most integer)
 RETURNS TABLE(workspace_id text, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
 SET enable_nestloop TO 'off'
AS $function$ SELECT o.workspace_id, o.environment, o.id FROM tollgate.operations o
          LEFT JOIN tollgate.list_sending_jobs() j (key) ON j.key = 'operation/' || o.environment || '/' || o.id
         WHERE o.created_at < before AND (o.status = 'accepted' OR (o.status = 'pending' AND o.resendable))
           AND j.key IS NULL
         ORDER BY o.created_at LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_usage_to_roll_up()
 RETURNS TABLE(workspace_id text, environment text, since timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
    SELECT n.workspace_id, n.environment,
           CASE WHEN n.has_uses OR n.has_reversals OR n.has_earlier THEN LEAST(
             (SELECT e.recorded_at FROM tollgate.usage_events e
               WHERE n.has_uses AND e.workspace_id = n.workspace_id AND e.environment = n.environment
                 AND e.transaction_id >= n.watermark ORDER BY e.transaction_id LIMIT 1),
             (SELECT r.reversed_at FROM tollgate.usage_reversals r
               WHERE n.has_reversals AND r.workspace_id = n.workspace_id AND r.environment = n.environment
                 AND r.transaction_id >= n.watermark ORDER BY r.transaction_id LIMIT 1)) END
      FROM (
        SELECT s.workspace_id, s.environment, s.watermark,
               COALESCE((SELECT max(e.transaction_id) FROM tollgate.usage_events e
                          WHERE e.workspace_id = s.workspace_id AND e.environment = s.environment) >= s.watermark, false) AS has_uses,
               COALESCE((SELECT max(r.transaction_id) FROM tollgate.usage_reversals r
                          WHERE r.workspace_id = s.workspace_id AND r.environment = s.environment) >= s.watermark, false) AS has_reversals,
               s.earlier AND EXISTS (SELECT FROM tollgate.usage_events e WHERE e.workspace_id = s.workspace_id
                          AND e.environment = s.environment) AS has_earlier,
               EXISTS (SELECT FROM tollgate.usage_dimensions d WHERE d.workspace_id = s.workspace_id
                          AND d.environment = s.environment AND d.dropped) AS has_dropped
          FROM (SELECT o.workspace_id, v.environment, COALESCE(u.watermark, '0'::xid8) AS watermark,
                       u.workspace_id IS NULL OR u.earlier_after IS NOT NULL AS earlier
                  FROM tollgate.organizations o CROSS JOIN (VALUES ('sandbox'), ('production')) AS v (environment)
                  LEFT JOIN tollgate.usage_rollups u ON u.workspace_id = o.workspace_id AND u.environment = v.environment) AS s
      ) AS n
     WHERE n.has_uses OR n.has_reversals OR n.has_earlier OR n.has_dropped $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.find_verifying_connections(at_environment text, of_provider text, of_workspace integer, at_most integer)
 RETURNS TABLE(workspace_id text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT n.workspace_id, n.id
          FROM (SELECT d.*, row_number() OVER (PARTITION BY d.workspace_id ORDER BY d.created_at, d.id) AS nth
                  FROM (SELECT c.workspace_id, c.id, c.created_at FROM tollgate.provider_connections c
                         WHERE c.environment = at_environment AND c.provider = of_provider
                           AND c.disabled_at IS NULL AND c.can_verify
                         ORDER BY c.created_at, c.id LIMIT 200) AS d) AS n
         WHERE n.nth <= of_workspace
         ORDER BY n.nth, n.created_at, n.id LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.has_sending_job(job_key text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT EXISTS (
          SELECT FROM graphile_worker._private_jobs j
           WHERE j.key = job_key AND tollgate.will_run(j.attempts, j.max_attempts, j.run_at, j.locked_at)) $function$; -- owner tollgate_outbox

CREATE OR REPLACE FUNCTION tollgate.keep_plan_of_subscription()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO tollgate.plans_once_subscribed (workspace_id, environment, plan_id)
  VALUES (OLD.workspace_id, OLD.environment, OLD.plan_id)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.keep_rhythm()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  begun CONSTANT bigint := extract(epoch FROM NEW.started_at) * 1000;
  boundary CONSTANT bigint := extract(epoch FROM NEW.current_period_start) * 1000;
BEGIN
  NEW.former_rhythms := (
    SELECT jsonb_agg(k.rhythm ORDER BY k.place) FROM (
      SELECT jsonb_set(f.rhythm, '{until}', to_jsonb(least((f.rhythm ->> 'until')::bigint, boundary))) AS rhythm, f.place
        FROM (SELECT e.rhythm, e.place, lag((e.rhythm ->> 'until')::bigint, 1, begun) OVER (ORDER BY e.place) AS held_from
                FROM jsonb_array_elements(coalesce(OLD.former_rhythms, '[]') || jsonb_build_object(
                       'until', boundary, 'billingAnchor', (extract(epoch FROM OLD.billing_anchor) * 1000)::bigint,
                       'timeZone', OLD.time_zone, 'interval', OLD.billing_interval))
                     WITH ORDINALITY AS e (rhythm, place)) f
       WHERE f.held_from < boundary
       ORDER BY f.place DESC LIMIT 20) k);
  RETURN NEW;
END
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.keep_sending(payload json, key text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
BEGIN
  IF tollgate.has_sending_job(keep_sending.key) THEN
    RETURN false;
  END IF;
  PERFORM graphile_worker.add_job('send-operation', payload, job_key => keep_sending.key,
    priority => CASE WHEN payload ->> 'environment' = 'sandbox' THEN 15 ELSE 5 END);
  RETURN true;
END
$function$; -- owner tollgate_outbox

CREATE OR REPLACE FUNCTION tollgate.keep_terms_of_entitlement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO tollgate.former_entitlement_terms
    (workspace_id, environment, subscription_id, feature_id, until, quota, per_seat, seats, reset_interval, rolls_over)
  SELECT NEW.workspace_id, NEW.environment, s.id, NEW.feature_id, NEW.updated_at,
         CASE WHEN TG_OP = 'INSERT' THEN 0 ELSE OLD.quota END,
         CASE WHEN TG_OP = 'INSERT' THEN false ELSE OLD.per_seat END, s.seats,
         CASE WHEN TG_OP = 'INSERT' THEN NEW.reset_interval ELSE OLD.reset_interval END,
         CASE WHEN TG_OP = 'INSERT' THEN false ELSE OLD.rollover_periods > 0 END
    FROM tollgate.subscriptions s
   WHERE s.workspace_id = NEW.workspace_id AND s.environment = NEW.environment AND s.plan_id = NEW.plan_id
     AND s.status IN ('trialing', 'active', 'past_due')
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.keep_terms_of_subscription()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO tollgate.former_entitlement_terms
    (workspace_id, environment, subscription_id, feature_id, until, quota, per_seat, seats, reset_interval, rolls_over)
  SELECT OLD.workspace_id, OLD.environment, OLD.id, f.feature_id, NEW.updated_at,
         CASE WHEN k.until IS NOT NULL THEN k.quota WHEN o.id IS NULL THEN 0 ELSE o.quota END,
         coalesce(k.per_seat, o.per_seat, false), coalesce(k.seats, OLD.seats),
         coalesce(k.reset_interval, o.reset_interval, 'never'),
         coalesce(k.rolls_over, o.rollover_periods > 0, false)
           AND (OLD.billing_anchor, OLD.billing_interval, OLD.time_zone, OLD.started_at)
             = (NEW.billing_anchor, NEW.billing_interval, NEW.time_zone, NEW.started_at)
    FROM (SELECT DISTINCT e.feature_id FROM tollgate.plan_entitlements e
           WHERE e.workspace_id = OLD.workspace_id AND e.environment = OLD.environment
             AND e.plan_id IN (OLD.plan_id, NEW.plan_id) AND e.rollover_periods > 0) f
    LEFT JOIN tollgate.plan_entitlements o
      ON o.workspace_id = OLD.workspace_id AND o.environment = OLD.environment AND o.plan_id = OLD.plan_id
     AND o.feature_id = f.feature_id
    LEFT JOIN LATERAL (
      SELECT t.until, t.quota, t.per_seat, t.seats, t.reset_interval, t.rolls_over
        FROM tollgate.former_entitlement_terms t
       WHERE t.workspace_id = OLD.workspace_id AND t.environment = OLD.environment AND t.subscription_id = OLD.id
         AND t.feature_id = f.feature_id AND t.until > NEW.updated_at
       ORDER BY t.until LIMIT 1) k ON true
  ON CONFLICT DO NOTHING;
  IF OLD.seats <> NEW.seats THEN
    UPDATE tollgate.former_entitlement_terms t SET seats = NEW.seats
     WHERE t.workspace_id = NEW.workspace_id AND t.environment = NEW.environment AND t.subscription_id = NEW.id
       AND t.until > NEW.updated_at;
  END IF;
  IF OLD.plan_id <> NEW.plan_id THEN
    UPDATE tollgate.former_entitlement_terms t
       SET quota = CASE WHEN n.id IS NULL THEN 0 ELSE n.quota END, per_seat = coalesce(n.per_seat, false),
           reset_interval = coalesce(n.reset_interval, 'never'), rolls_over = coalesce(n.rollover_periods > 0, false)
      FROM tollgate.former_entitlement_terms k
      LEFT JOIN tollgate.plan_entitlements n
        ON n.workspace_id = k.workspace_id AND n.environment = k.environment AND n.plan_id = NEW.plan_id
       AND n.feature_id = k.feature_id
     WHERE k.workspace_id = NEW.workspace_id AND k.environment = NEW.environment AND k.subscription_id = NEW.id
       AND k.until > NEW.updated_at
       AND t.workspace_id = k.workspace_id AND t.environment = k.environment AND t.subscription_id = k.subscription_id
       AND t.feature_id = k.feature_id AND t.until = k.until;
  END IF;
  RETURN NULL;
END
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.list_connections(after text, at_most integer)
 RETURNS TABLE(workspace_id text, environment text, id text, key_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT c.workspace_id, c.environment, c.id, c.key_id FROM tollgate.provider_connections c
         WHERE c.id > after ORDER BY c.id LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.list_sending_jobs()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT j.key FROM graphile_worker._private_jobs j
         WHERE j.key LIKE 'operation/%' AND tollgate.will_run(j.attempts, j.max_attempts, j.run_at, j.locked_at) $function$; -- owner tollgate_outbox

CREATE OR REPLACE FUNCTION tollgate.list_webhook_endpoint_keys(after text, at_most integer)
 RETURNS TABLE(workspace_id text, environment text, id text, key_id text, previous_key_id text, older_key_ids text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT e.workspace_id, e.environment::text, e.id, e.key_id, e.previous_key_id, e.older_key_ids
          FROM tollgate.webhook_endpoints e
         WHERE e.id > after ORDER BY e.id LIMIT at_most $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.list_workspaces()
 RETURNS TABLE(workspace_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT o.workspace_id FROM tollgate.organizations o ORDER BY o.workspace_id $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.make_developer_event_partition(day date)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  partition_name text := 'developer_events_' || to_char(day, 'YYYYMMDD');
BEGIN
  IF to_regclass('tollgate.' || partition_name) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE tollgate.%I (LIKE tollgate.developer_events INCLUDING ALL)', partition_name);
  EXECUTE format('ALTER TABLE tollgate.%I ENABLE ROW LEVEL SECURITY', partition_name);
  EXECUTE format('ALTER TABLE tollgate.%I FORCE ROW LEVEL SECURITY', partition_name);
  EXECUTE format('ALTER TABLE tollgate.developer_events ATTACH PARTITION tollgate.%I FOR VALUES FROM (%L) TO (%L)',
    partition_name, day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
  RETURN true;
END
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.measure_backlog(at timestamp with time zone, at_most integer)
 RETURNS TABLE(backlog text, environment text, items bigint, oldest timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
    SELECT 'overdue_wakes', e.name, count(o.wake), min(o.wake)
      FROM (VALUES ('sandbox'), ('production')) AS e (name)
      LEFT JOIN LATERAL (
        (SELECT s.next_wake_at AS wake FROM tollgate.subscriptions s
          WHERE s.next_wake_at < at AND s.environment = e.name AND s.status <> 'incomplete'
          ORDER BY s.next_wake_at LIMIT at_most)
         UNION ALL
        (SELECT k.next_wake_at FROM tollgate.checkouts k
          WHERE k.next_wake_at < at AND k.environment = e.name
          ORDER BY k.next_wake_at LIMIT at_most)) AS o ON true
     GROUP BY e.name
     UNION ALL
    SELECT 'open_operations', e.name, count(o.created_at), min(o.created_at)
      FROM (VALUES ('sandbox'), ('production')) AS e (name)
      LEFT JOIN LATERAL (
        SELECT p.created_at FROM tollgate.operations p
         WHERE p.status IN ('pending', 'accepted') AND p.environment = e.name ORDER BY p.created_at LIMIT at_most) AS o ON true
     GROUP BY e.name
     UNION ALL
    SELECT 'past_due', e.name, count(o.environment), NULL
      FROM (VALUES ('sandbox'), ('production')) AS e (name)
      LEFT JOIN LATERAL (
        SELECT s.environment FROM tollgate.subscriptions s
         WHERE s.status = 'past_due' AND s.environment = e.name LIMIT at_most) AS o ON true
     GROUP BY e.name $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.measure_outbox(at timestamp with time zone, at_most integer)
 RETURNS TABLE(items bigint, oldest timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT count(*), min(w.since) FROM (
          SELECT CASE WHEN j.key LIKE 'clock/%' THEN j.run_at ELSE j.created_at END AS since
            FROM graphile_worker._private_jobs j WHERE j.is_available = true AND j.run_at <= at LIMIT at_most) AS w $function$; -- owner tollgate_outbox

CREATE OR REPLACE FUNCTION tollgate.measure_webhook_deliveries(at timestamp with time zone, at_most integer)
 RETURNS TABLE(environment text, items bigint, oldest timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
    SELECT e.name, count(o.next_attempt_at), min(o.next_attempt_at)
      FROM (VALUES ('sandbox'), ('production')) AS e (name)
      LEFT JOIN LATERAL (
        SELECT d.next_attempt_at
          FROM tollgate.webhook_deliveries d
          JOIN tollgate.webhook_endpoints p
            ON p.workspace_id = d.workspace_id AND p.environment = d.environment AND p.id = d.endpoint_id
         WHERE d.status = 'pending' AND d.next_attempt_at <= at AND d.environment::text = e.name
           AND p.failing_since IS NULL AND p.disabled_at IS NULL
         LIMIT at_most) AS o ON true
     GROUP BY e.name $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.operation_has_ended(workspace text, env text, operation text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT NOT EXISTS (
          SELECT FROM tollgate.operations o
           WHERE o.workspace_id = workspace AND o.environment = env AND o.id = operation
             AND o.status IN ('pending', 'accepted')) $function$; -- owner tollgate_lookup

CREATE OR REPLACE FUNCTION tollgate.operation_has_started(workspace text, env text, operation text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$ SELECT EXISTS (
          SELECT FROM tollgate.operations o
            JOIN tollgate.subscriptions s
              ON s.workspace_id = o.workspace_id AND s.environment = o.environment AND s.id = o.subscription_id
           WHERE o.workspace_id = workspace AND o.environment = env AND o.id = operation
             AND s.provider_work -> 'unsettled' ->> 'operationId' = operation)
     OR EXISTS (
          SELECT FROM tollgate.refunds r
           WHERE r.workspace_id = workspace AND r.environment = env AND r.id = regexp_replace(operation, '^op_', 'ref_'))
     OR EXISTS (
          SELECT FROM tollgate.checkouts k
           WHERE k.workspace_id = workspace AND k.environment = env AND k.id = regexp_replace(operation, '^op_', 'chk_')
             AND NOT (k.status = 'expired' AND k.reference IS NULL AND k.failure IS NOT NULL)) $function$; -- owner tollgate_lookup

CREATE OR REPLACE PROCEDURE tollgate.protect_organization_table(IN target regclass, VARIADIC privileges text[] DEFAULT ARRAY['SELECT'::text, 'INSERT'::text, 'UPDATE'::text, 'DELETE'::text])
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY organization ON %s TO tollgate_runtime
       USING (workspace_id = (SELECT tollgate.workspace_id()))
       WITH CHECK (workspace_id = (SELECT tollgate.workspace_id()))',
    target);
  EXECUTE format('GRANT %s ON %s TO tollgate_runtime', array_to_string(privileges, ', '), target);
END
$procedure$; -- owner tollgate_owner

CREATE OR REPLACE PROCEDURE tollgate.protect_tenant_table(IN target regclass, VARIADIC privileges text[] DEFAULT ARRAY['SELECT'::text, 'INSERT'::text, 'UPDATE'::text, 'DELETE'::text])
 LANGUAGE plpgsql
AS $procedure$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY tenant ON %s TO tollgate_runtime
       USING (workspace_id = (SELECT tollgate.workspace_id()) AND environment = (SELECT tollgate.environment()))
       WITH CHECK (workspace_id = (SELECT tollgate.workspace_id()) AND environment = (SELECT tollgate.environment()))',
    target);
  EXECUTE format('GRANT %s ON %s TO tollgate_runtime', array_to_string(privileges, ', '), target);
END
$procedure$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.take_from_customer_months()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO tollgate.usage_customer_months AS m
    (workspace_id, environment, feature_id, month, customer_id, quantity, events)
  SELECT workspace_id, environment, feature_id, date_trunc('month', day, 'UTC') AS month, customer_id, -sum(quantity), -sum(events)
    FROM taken GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (workspace_id, environment, feature_id, month, customer_id) DO UPDATE
    SET quantity = m.quantity + EXCLUDED.quantity, events = m.events + EXCLUDED.events;
  RETURN NULL;
END
$function$; -- owner tollgate_owner

CREATE OR REPLACE FUNCTION tollgate.will_run(attempts smallint, max_attempts smallint, run_at timestamp with time zone, locked_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ SELECT attempts < max_attempts AND run_at < now() + interval '10 minutes'
           AND (locked_at IS NULL OR locked_at > now() - interval '2 minutes') $function$; -- owner tollgate_outbox

CREATE OR REPLACE FUNCTION tollgate.workspace_id()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$ SELECT NULLIF(current_setting('tollgate.workspace_id', true), '') $function$; -- owner tollgate_owner

-- Triggers

CREATE TRIGGER keep_terms AFTER UPDATE ON tollgate.plan_entitlements FOR EACH ROW WHEN ((((old.rollover_periods > 0) OR (new.rollover_periods > 0)) AND ((((old.quota IS DISTINCT FROM new.quota) OR (old.per_seat IS DISTINCT FROM new.per_seat)) OR (old.reset_interval IS DISTINCT FROM new.reset_interval)) OR ((old.rollover_periods > 0) IS DISTINCT FROM (new.rollover_periods > 0))))) EXECUTE FUNCTION tollgate.keep_terms_of_entitlement();

CREATE TRIGGER keep_terms_of_new AFTER INSERT ON tollgate.plan_entitlements FOR EACH ROW WHEN ((new.rollover_periods > 0)) EXECUTE FUNCTION tollgate.keep_terms_of_entitlement();

CREATE TRIGGER keep_plan AFTER UPDATE ON tollgate.subscriptions FOR EACH ROW WHEN ((old.plan_id IS DISTINCT FROM new.plan_id)) EXECUTE FUNCTION tollgate.keep_plan_of_subscription();

CREATE TRIGGER keep_rhythm BEFORE UPDATE ON tollgate.subscriptions FOR EACH ROW WHEN ((((old.billing_anchor IS DISTINCT FROM new.billing_anchor) OR (old.billing_interval IS DISTINCT FROM new.billing_interval)) OR (old.time_zone IS DISTINCT FROM new.time_zone))) EXECUTE FUNCTION tollgate.keep_rhythm();

CREATE TRIGGER keep_terms AFTER UPDATE ON tollgate.subscriptions FOR EACH ROW WHEN (((((((old.plan_id IS DISTINCT FROM new.plan_id) OR (old.seats IS DISTINCT FROM new.seats)) OR (old.billing_anchor IS DISTINCT FROM new.billing_anchor)) OR (old.billing_interval IS DISTINCT FROM new.billing_interval)) OR (old.time_zone IS DISTINCT FROM new.time_zone)) OR (old.started_at IS DISTINCT FROM new.started_at))) EXECUTE FUNCTION tollgate.keep_terms_of_subscription();

CREATE TRIGGER months_of_added AFTER INSERT ON tollgate.usage_customer_days REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tollgate.add_to_customer_months();

CREATE TRIGGER months_of_changed AFTER UPDATE ON tollgate.usage_customer_days REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tollgate.change_customer_months();

CREATE TRIGGER months_of_deleted AFTER DELETE ON tollgate.usage_customer_days REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION tollgate.take_from_customer_months();

CREATE TRIGGER older_end_with_latest BEFORE UPDATE OF secret_last_four ON tollgate.webhook_endpoints FOR EACH ROW WHEN (((new.previous_secret_envelope IS NULL) AND (new.older_secrets <> '[]'::jsonb))) EXECUTE FUNCTION tollgate.end_older_secrets();

-- Grants (an owner’s own are left out)

GRANT EXECUTE ON ROUTINE tollgate.announce(text,tollgate.environment_name,text,text,text,text,timestamp with time zone,timestamp with time zone,text,text) TO tollgate_runtime;

GRANT EXECUTE ON ROUTINE tollgate.assert_equal(numeric,numeric) TO PUBLIC;

GRANT EXECUTE ON ROUTINE tollgate.count_failing_jobs(integer) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.count_platform_audit(text,text,text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone,bigint) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.count_second_factors() TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.count_second_factors() TO tollgate_deliverer;

GRANT EXECUTE ON ROUTINE tollgate.count_second_factors() TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.enqueue(text,json,text) TO tollgate_runtime;

GRANT EXECUTE ON ROUTINE tollgate.enqueue_each(text,json[],text[],timestamp with time zone[]) TO tollgate_runtime;

GRANT EXECUTE ON ROUTINE tollgate.environment() TO PUBLIC;

GRANT EXECUTE ON ROUTINE tollgate.find_account_connections(text,text,text[],integer,integer) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_api_key(bytea) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_connection(text,text,text) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_connection_candidates(text,text,integer) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_connections_of_references(text,text,text[],text[],integer) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_customer_events(text,timestamp with time zone,timestamp with time zone,timestamp with time zone,text,integer) TO tollgate_runtime;

GRANT EXECUTE ON ROUTINE tollgate.find_customers(text,timestamp with time zone,timestamp with time zone,text,integer) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_due_webhook_endpoints(timestamp with time zone,text,integer) TO tollgate_deliverer;

GRANT EXECUTE ON ROUTINE tollgate.find_invitation(bytea) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_memberships(text) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_memberships_of(text) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_named_connections(text[],text[],text[]) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_open_operations(timestamp with time zone,integer) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.find_open_webhook_resends(integer) TO tollgate_deliverer;

GRANT EXECUTE ON ROUTINE tollgate.find_overdue_checkouts(timestamp with time zone,integer) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.find_overdue_checkouts(timestamp with time zone,integer,text) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.find_overdue_erasures(timestamp with time zone,integer,text) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.find_overdue_refunds(timestamp with time zone,integer) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.find_overdue_refunds(timestamp with time zone,integer,text) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.find_overdue_subscriptions(timestamp with time zone,integer) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.find_overdue_subscriptions(timestamp with time zone,integer,text) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.find_portal_link(bytea,text) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_portal_session(bytea,text) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_referred_connections(text,text,integer[],text[],text[],integer,integer) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_reset_link(bytea) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.find_unsent_operations(timestamp with time zone,integer) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.find_usage_to_roll_up() TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.find_verifying_connections(text,text,integer,integer) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.has_sending_job(text) TO tollgate_runtime;

GRANT EXECUTE ON ROUTINE tollgate.keep_sending(json,text) TO tollgate_runtime;

GRANT EXECUTE ON ROUTINE tollgate.list_connections(text,integer) TO tollgate_runtime;

GRANT EXECUTE ON ROUTINE tollgate.list_sending_jobs() TO tollgate_lookup;

GRANT EXECUTE ON ROUTINE tollgate.list_webhook_endpoint_keys(text,integer) TO tollgate_runtime;

GRANT EXECUTE ON ROUTINE tollgate.list_workspaces() TO tollgate_runtime;

GRANT EXECUTE ON ROUTINE tollgate.measure_backlog(timestamp with time zone,integer) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.measure_outbox(timestamp with time zone,integer) TO tollgate_runtime;

GRANT EXECUTE ON ROUTINE tollgate.measure_outbox(timestamp with time zone,integer) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.measure_webhook_deliveries(timestamp with time zone,integer) TO tollgate_deliverer;

GRANT EXECUTE ON ROUTINE tollgate.operation_has_ended(text,text,text) TO tollgate_relay;

GRANT EXECUTE ON ROUTINE tollgate.operation_has_started(text,text,text) TO tollgate_app;

GRANT EXECUTE ON ROUTINE tollgate.operation_has_started(text,text,text) TO tollgate_relay;

GRANT EXECUTE ON ROUTINE tollgate.operation_has_started(text,text,text) TO tollgate_worker;

GRANT EXECUTE ON ROUTINE tollgate.workspace_id() TO PUBLIC;

GRANT CREATE, USAGE ON SCHEMA tollgate TO tollgate_lookup;

GRANT CREATE, USAGE ON SCHEMA tollgate TO tollgate_outbox;

GRANT USAGE ON SCHEMA tollgate TO tollgate_relay;

GRANT USAGE ON SCHEMA tollgate TO tollgate_runtime;

GRANT USAGE ON SEQUENCE tollgate.developer_event_sequence TO tollgate_runtime;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.api_keys TO tollgate_app;

GRANT SELECT (environment), SELECT (expires_at), SELECT (id), SELECT (key_hash), SELECT (revoked_at), SELECT (scopes), SELECT (workspace_id) ON TABLE tollgate.api_keys TO tollgate_lookup;

GRANT INSERT, SELECT ON TABLE tollgate.audit_records TO tollgate_runtime;

GRANT UPDATE (detail) ON TABLE tollgate.audit_records TO tollgate_worker;

GRANT SELECT (environment), SELECT (failure), SELECT (id), SELECT (next_wake_at), SELECT (reference), SELECT (status), SELECT (workspace_id) ON TABLE tollgate.checkouts TO tollgate_lookup;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.checkouts TO tollgate_runtime;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.credential_migrations TO tollgate_runtime;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.credit_grants TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT ON TABLE tollgate.customer_entities TO tollgate_runtime;

GRANT SELECT (environment), SELECT (id), SELECT (next_wake_at), SELECT (workspace_id) ON TABLE tollgate.customer_erasures TO tollgate_lookup;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.customer_erasures TO tollgate_runtime;

GRANT SELECT (created_at), SELECT (email), SELECT (environment), SELECT (external_id), SELECT (id), SELECT (name), SELECT (workspace_id) ON TABLE tollgate.customers TO tollgate_lookup;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.customers TO tollgate_runtime;

GRANT SELECT (created_at), SELECT (data), SELECT (environment), SELECT (id), SELECT (workspace_id) ON TABLE tollgate.developer_events TO tollgate_lookup;

GRANT INSERT, SELECT ON TABLE tollgate.developer_events TO tollgate_runtime;

GRANT UPDATE (data), UPDATE (message), UPDATE (source) ON TABLE tollgate.developer_events TO tollgate_worker;

GRANT DELETE, SELECT (created_at), SELECT (environment), SELECT (id), SELECT (workspace_id) ON TABLE tollgate.developer_events_default TO tollgate_worker;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.disputes TO tollgate_runtime;

GRANT INSERT, SELECT ON TABLE tollgate.earlier_plan_prices TO tollgate_runtime;

GRANT INSERT, SELECT ON TABLE tollgate.earlier_tax_settings TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.entity_counters TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.features TO tollgate_runtime;

GRANT INSERT, SELECT, UPDATE (per_seat), UPDATE (quota), UPDATE (reset_interval), UPDATE (rolls_over), UPDATE (seats) ON TABLE tollgate.former_entitlement_terms TO tollgate_runtime;

GRANT INSERT, SELECT ON TABLE tollgate.former_plan_prices TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT ON TABLE tollgate.idempotency_answers TO tollgate_runtime;

GRANT UPDATE (body), UPDATE (fingerprint), UPDATE (idempotency_key) ON TABLE tollgate.idempotency_answers TO tollgate_worker;

GRANT DELETE, INSERT, SELECT ON TABLE tollgate.key_checks TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.key_ring_runtimes TO tollgate_runtime;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.key_ring_state TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.login_throttle TO tollgate_app;

GRANT DELETE, SELECT (expire) ON TABLE tollgate.login_throttle TO tollgate_worker;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.member_invitations TO tollgate_app;

GRANT SELECT (accepted_at), SELECT (expires_at), SELECT (id), SELECT (revoked_at), SELECT (token_hash), SELECT (workspace_id) ON TABLE tollgate.member_invitations TO tollgate_lookup;

GRANT DELETE, SELECT (accepted_at), SELECT (expires_at), SELECT (revoked_at), SELECT (workspace_id) ON TABLE tollgate.member_invitations TO tollgate_worker;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.member_reset_links TO tollgate_app;

GRANT SELECT (id), SELECT (token_hash), SELECT (workspace_id) ON TABLE tollgate.member_reset_links TO tollgate_lookup;

GRANT DELETE, SELECT (expires_at), SELECT (workspace_id) ON TABLE tollgate.member_reset_links TO tollgate_worker;

GRANT SELECT (created_at), SELECT (environment), SELECT (id), SELECT (resendable), SELECT (status), SELECT (subscription_id), SELECT (workspace_id) ON TABLE tollgate.operations TO tollgate_lookup;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.operations TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.operator_devices TO tollgate_app;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.operator_login_challenges TO tollgate_app;

GRANT DELETE, SELECT (expires_at) ON TABLE tollgate.operator_login_challenges TO tollgate_worker;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.operator_recovery_codes TO tollgate_app;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.operator_second_factors TO tollgate_app;

GRANT SELECT (confirmed_at), SELECT (key_id), SELECT (operator_id) ON TABLE tollgate.operator_second_factors TO tollgate_lookup;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.operator_sessions TO tollgate_app;

GRANT DELETE, SELECT (expires_at), SELECT (revoked_at) ON TABLE tollgate.operator_sessions TO tollgate_worker;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.operators TO tollgate_app;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.organization_members TO tollgate_app;

GRANT SELECT (operator_id), SELECT (role), SELECT (workspace_id) ON TABLE tollgate.organization_members TO tollgate_lookup;

GRANT SELECT (require_second_factor), SELECT (workspace_id) ON TABLE tollgate.organizations TO tollgate_lookup;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.organizations TO tollgate_runtime;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.payments TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.plan_entitlements TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.plan_groups TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.plans TO tollgate_runtime;

GRANT INSERT, SELECT ON TABLE tollgate.plans_once_subscribed TO tollgate_runtime;

GRANT INSERT, SELECT ON TABLE tollgate.platform_audit TO tollgate_app;

GRANT SELECT (environment), SELECT (id), SELECT (link_hash), SELECT (session_hash), SELECT (workspace_id) ON TABLE tollgate.portal_sessions TO tollgate_lookup;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.portal_sessions TO tollgate_runtime;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.portal_settings TO tollgate_runtime;

GRANT SELECT (account_reference), SELECT (can_verify), SELECT (created_at), SELECT (disabled_at), SELECT (environment), SELECT (id), SELECT (key_id), SELECT (provider), SELECT (workspace_id) ON TABLE tollgate.provider_connections TO tollgate_lookup;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.provider_connections TO tollgate_runtime;

GRANT SELECT (connection_id), SELECT (environment), SELECT (kind), SELECT (provider), SELECT (reference), SELECT (workspace_id) ON TABLE tollgate.provider_references TO tollgate_lookup;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.provider_references TO tollgate_runtime;

GRANT SELECT (environment), SELECT (id), SELECT (next_wake_at), SELECT (workspace_id) ON TABLE tollgate.refunds TO tollgate_lookup;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.refunds TO tollgate_runtime;

GRANT SELECT (environment), SELECT (offset_ms), SELECT (workspace_id) ON TABLE tollgate.sandbox_clocks TO tollgate_lookup;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.sandbox_clocks TO tollgate_runtime;

GRANT INSERT, SELECT ON TABLE tollgate.sandbox_secret_fingerprints TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.settlement_lines TO tollgate_runtime;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.settlements TO tollgate_runtime;

GRANT INSERT, SELECT ON TABLE tollgate.subscription_history TO tollgate_runtime;

GRANT UPDATE (data), UPDATE (message) ON TABLE tollgate.subscription_history TO tollgate_worker;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.subscription_transactions TO tollgate_runtime;

GRANT SELECT (environment), SELECT (id), SELECT (next_wake_at), SELECT (provider_work), SELECT (status), SELECT (workspace_id) ON TABLE tollgate.subscriptions TO tollgate_lookup;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.subscriptions TO tollgate_runtime;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.usage_counters TO tollgate_runtime;

GRANT SELECT ON TABLE tollgate.usage_customer_days TO tollgate_runtime;

GRANT DELETE, INSERT, UPDATE ON TABLE tollgate.usage_customer_days TO tollgate_worker;

GRANT SELECT ON TABLE tollgate.usage_customer_months TO tollgate_runtime;

GRANT DELETE, INSERT, UPDATE ON TABLE tollgate.usage_customer_months TO tollgate_worker;

GRANT INSERT (environment), INSERT (feature_id), INSERT (name), INSERT (workspace_id), UPDATE (dropped) ON TABLE tollgate.usage_dimensions TO tollgate_app;

GRANT SELECT (dropped), SELECT (environment), SELECT (workspace_id) ON TABLE tollgate.usage_dimensions TO tollgate_lookup;

GRANT SELECT ON TABLE tollgate.usage_dimensions TO tollgate_runtime;

GRANT DELETE, UPDATE (since) ON TABLE tollgate.usage_dimensions TO tollgate_worker;

GRANT SELECT (environment), SELECT (recorded_at), SELECT (transaction_id), SELECT (workspace_id) ON TABLE tollgate.usage_events TO tollgate_lookup;

GRANT INSERT, SELECT ON TABLE tollgate.usage_events TO tollgate_runtime;

GRANT UPDATE (answer), UPDATE (entity), UPDATE (fingerprint), UPDATE (idempotency_key), UPDATE (properties), UPDATE (source), UPDATE (transaction_id) ON TABLE tollgate.usage_events TO tollgate_worker;

GRANT SELECT ON TABLE tollgate.usage_quarters TO tollgate_runtime;

GRANT DELETE, INSERT, UPDATE ON TABLE tollgate.usage_quarters TO tollgate_worker;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.usage_reservations TO tollgate_runtime;

GRANT SELECT (environment), SELECT (reversed_at), SELECT (transaction_id), SELECT (workspace_id) ON TABLE tollgate.usage_reversals TO tollgate_lookup;

GRANT INSERT, SELECT ON TABLE tollgate.usage_reversals TO tollgate_runtime;

GRANT UPDATE (reason), UPDATE (transaction_id) ON TABLE tollgate.usage_reversals TO tollgate_worker;

GRANT SELECT (earlier_after), SELECT (environment), SELECT (watermark), SELECT (workspace_id) ON TABLE tollgate.usage_rollups TO tollgate_lookup;

GRANT SELECT ON TABLE tollgate.usage_rollups TO tollgate_runtime;

GRANT INSERT, UPDATE ON TABLE tollgate.usage_rollups TO tollgate_worker;

GRANT SELECT ON TABLE tollgate.usage_value_days TO tollgate_runtime;

GRANT DELETE, INSERT, UPDATE ON TABLE tollgate.usage_value_days TO tollgate_worker;

GRANT SELECT ON TABLE tollgate.usage_value_quarters TO tollgate_runtime;

GRANT DELETE, INSERT, UPDATE ON TABLE tollgate.usage_value_quarters TO tollgate_worker;

GRANT SELECT ON TABLE tollgate.usage_values TO tollgate_runtime;

GRANT DELETE, INSERT, UPDATE ON TABLE tollgate.usage_values TO tollgate_worker;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.webhook_attempts TO tollgate_runtime;

GRANT SELECT (endpoint_id), SELECT (environment), SELECT (next_attempt_at), SELECT (status), SELECT (workspace_id) ON TABLE tollgate.webhook_deliveries TO tollgate_lookup;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.webhook_deliveries TO tollgate_runtime;

GRANT SELECT (disabled_at), SELECT (environment), SELECT (failing_since), SELECT (id), SELECT (key_id), SELECT (older_key_ids), SELECT (previous_key_id), SELECT (workspace_id) ON TABLE tollgate.webhook_endpoints TO tollgate_lookup;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.webhook_endpoints TO tollgate_runtime;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.webhook_events TO tollgate_runtime;

GRANT DELETE ON TABLE tollgate.webhook_events TO tollgate_worker;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.webhook_failures TO tollgate_runtime;

GRANT DELETE ON TABLE tollgate.webhook_failures TO tollgate_worker;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.webhook_messages TO tollgate_runtime;

GRANT SELECT (created_at), SELECT (ended_at), SELECT (endpoint_id), SELECT (environment), SELECT (id), SELECT (workspace_id) ON TABLE tollgate.webhook_resends TO tollgate_lookup;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.webhook_resends TO tollgate_runtime;

GRANT DELETE, INSERT, SELECT, UPDATE ON TABLE tollgate.webhook_sequences TO tollgate_runtime;

GRANT SELECT (environment), SELECT (key_concurrent_requests), SELECT (key_requests_per_second), SELECT (workspace_id) ON TABLE tollgate.workspace_settings TO tollgate_lookup;

GRANT INSERT, SELECT, UPDATE ON TABLE tollgate.workspace_settings TO tollgate_runtime;
