-- Billing: what a subscription owes, what was paid, given back and settled, the checkouts that open subscriptions,
-- the commands on them, and their history.

-- The tax of the current period, and a change that waits for the next renewal. The first payment that is still due
-- decides when the subscription becomes past due, so that access is right even when nothing has run since.
ALTER TABLE tollgate.subscriptions
  DROP COLUMN scheduled_change,
  ADD COLUMN tax                    jsonb NOT NULL DEFAULT '{"behavior":"none","rates":[]}',
  ADD COLUMN scheduled_plan_id      text COLLATE "C",
  ADD COLUMN scheduled_seats        integer CHECK (scheduled_seats >= 1),
  ADD COLUMN scheduled_requested_at timestamptz,
  ADD COLUMN payment_due_at         timestamptz,
  ADD COLUMN incomplete_until       timestamptz,
  ADD CONSTRAINT subscriptions_scheduled_whole CHECK (
    num_nulls(scheduled_plan_id, scheduled_seats, scheduled_requested_at) IN (0, 3)),
  ADD CONSTRAINT subscriptions_scheduled_plan_fkey FOREIGN KEY (workspace_id, environment, scheduled_plan_id)
    REFERENCES tollgate.plans (workspace_id, environment, id);
ALTER TABLE tollgate.subscriptions ALTER COLUMN tax DROP DEFAULT;
CREATE INDEX subscriptions_scheduled_plan ON tollgate.subscriptions (workspace_id, environment, scheduled_plan_id)
  WHERE scheduled_plan_id IS NOT NULL;

-- A demand for money: a period's price, or the net of an immediate change. Amounts are minor units. The lines add
-- up to the subtotal; exclusive tax comes on top of it, inclusive tax is contained in it.
CREATE TABLE tollgate.subscription_transactions (
  workspace_id    text COLLATE "C" NOT NULL,
  environment     tollgate.environment_name NOT NULL,
  id              text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('initial', 'renewal', 'proration')),
  status          text NOT NULL CHECK (status IN ('pending', 'partially_paid', 'paid', 'void')),
  currency        tollgate.currency_code NOT NULL,
  subtotal        bigint NOT NULL CHECK (subtotal >= 0),
  tax_amount      bigint NOT NULL CHECK (tax_amount >= 0),
  total           bigint NOT NULL CHECK (total >= 0),
  amount_paid     bigint NOT NULL DEFAULT 0 CHECK (amount_paid BETWEEN 0 AND total),
  tax             jsonb NOT NULL,   -- the snapshot: { behavior, rates: [{ name, rate }] }
  lines           jsonb NOT NULL,   -- [{ description, quantity, unitAmount?, amount }], amounts as text
  proration       jsonb,            -- policy version, both sides, plan and seat changes; amounts as text
  period_start    timestamptz NOT NULL,
  period_end      timestamptz NOT NULL CHECK (period_end > period_start),
  due_at          timestamptz NOT NULL,
  paid_at         timestamptz,
  voided_at       timestamptz,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id),
  CHECK ((kind = 'proration') = (proration IS NOT NULL)),
  CHECK (amount_paid < total OR status IN ('paid', 'void')),
  CHECK (status <> 'paid' OR amount_paid = total)
);
-- A period is charged once, whatever crashes.
CREATE UNIQUE INDEX subscription_transactions_period
  ON tollgate.subscription_transactions (workspace_id, environment, subscription_id, period_start)
  WHERE kind IN ('initial', 'renewal');
CREATE INDEX subscription_transactions_open
  ON tollgate.subscription_transactions (workspace_id, environment, subscription_id, due_at)
  WHERE status IN ('pending', 'partially_paid');
CREATE INDEX subscription_transactions_created ON tollgate.subscription_transactions (workspace_id, environment, created_at, id);
CREATE INDEX subscription_transactions_customer
  ON tollgate.subscription_transactions (workspace_id, environment, customer_id, created_at, id);
CREATE INDEX subscription_transactions_subscription
  ON tollgate.subscription_transactions (workspace_id, environment, subscription_id, created_at, id);
CALL tollgate.protect_tenant_table('tollgate.subscription_transactions', 'SELECT', 'INSERT', 'UPDATE');

-- The amounts of one currency that a period's payments and refunds come to.
CREATE TABLE tollgate.settlements (
  workspace_id text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  environment  tollgate.environment_name NOT NULL,
  id           text COLLATE "C" NOT NULL,
  provider     text NOT NULL CHECK (provider IN ('internal', 'provider_a', 'provider_b', 'provider_c')),
  currency     tollgate.currency_code NOT NULL,
  period_start timestamptz NOT NULL,
  period_end   timestamptz NOT NULL CHECK (period_end > period_start),
  paid         bigint NOT NULL CHECK (paid >= 0),
  refunded     bigint NOT NULL CHECK (refunded >= 0),
  fees         bigint NOT NULL DEFAULT 0 CHECK (fees >= 0),
  net          bigint NOT NULL CHECK (net = paid - refunded - fees),
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id)
);
CREATE INDEX settlements_created ON tollgate.settlements (workspace_id, environment, created_at, id);
CALL tollgate.protect_tenant_table('tollgate.settlements', 'SELECT', 'INSERT');

-- Money that came in. What is applied settles the transaction; the rest is unapplied: too much, or too late.
CREATE TABLE tollgate.payments (
  workspace_id    text COLLATE "C" NOT NULL,
  environment     tollgate.environment_name NOT NULL,
  id              text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C",
  transaction_id  text COLLATE "C",
  provider        text NOT NULL CHECK (provider IN ('internal', 'provider_a', 'provider_b', 'provider_c')),
  status          text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  currency        tollgate.currency_code NOT NULL,
  amount          bigint NOT NULL CHECK (amount > 0),
  applied_amount  bigint NOT NULL CHECK (applied_amount BETWEEN 0 AND amount),
  reference       text,
  received_at     timestamptz NOT NULL,
  settlement_id   text COLLATE "C",
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, transaction_id) REFERENCES tollgate.subscription_transactions (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, settlement_id) REFERENCES tollgate.settlements (workspace_id, environment, id)
);
CREATE INDEX payments_created ON tollgate.payments (workspace_id, environment, created_at, id);
CREATE INDEX payments_transaction ON tollgate.payments (workspace_id, environment, transaction_id);
CREATE INDEX payments_unsettled ON tollgate.payments (workspace_id, environment, provider, currency, received_at)
  WHERE settlement_id IS NULL AND status = 'succeeded';
CREATE INDEX payments_settlement ON tollgate.payments (workspace_id, environment, settlement_id) WHERE settlement_id IS NOT NULL;
CREATE INDEX payments_subscription ON tollgate.payments (workspace_id, environment, subscription_id, created_at, id);
CREATE INDEX payments_customer ON tollgate.payments (workspace_id, environment, customer_id, created_at, id);
CALL tollgate.protect_tenant_table('tollgate.payments', 'SELECT', 'INSERT', 'UPDATE');

-- Money that goes back. A pending refund is reserved: it counts against its payment from the start.
CREATE TABLE tollgate.refunds (
  workspace_id  text COLLATE "C" NOT NULL,
  environment   tollgate.environment_name NOT NULL,
  id            text COLLATE "C" NOT NULL,
  payment_id    text COLLATE "C" NOT NULL,
  status        text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  currency      tollgate.currency_code NOT NULL,
  amount        bigint NOT NULL CHECK (amount > 0),
  reason        text,
  failure       text,
  requested_at  timestamptz NOT NULL,
  completed_at  timestamptz,
  settlement_id text COLLATE "C",
  next_wake_at  timestamptz,
  created_at    timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, payment_id) REFERENCES tollgate.payments (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, settlement_id) REFERENCES tollgate.settlements (workspace_id, environment, id)
);
CREATE INDEX refunds_created ON tollgate.refunds (workspace_id, environment, created_at, id);
CREATE INDEX refunds_payment ON tollgate.refunds (workspace_id, environment, payment_id);
CREATE INDEX refunds_settlement ON tollgate.refunds (workspace_id, environment, settlement_id) WHERE settlement_id IS NOT NULL;
CREATE INDEX refunds_wake ON tollgate.refunds (next_wake_at) WHERE next_wake_at IS NOT NULL;
CALL tollgate.protect_tenant_table('tollgate.refunds', 'SELECT', 'INSERT', 'UPDATE');

-- A customer's way to a subscription, which is incomplete until the checkout is paid.
CREATE TABLE tollgate.checkouts (
  workspace_id    text COLLATE "C" NOT NULL,
  environment     tollgate.environment_name NOT NULL,
  id              text COLLATE "C" NOT NULL,
  customer_id     text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  transaction_id  text COLLATE "C",
  provider        text NOT NULL CHECK (provider IN ('internal', 'provider_a', 'provider_b', 'provider_c')),
  status          text NOT NULL CHECK (status IN ('open', 'complete', 'expired')),
  url             text,
  expires_at      timestamptz NOT NULL,
  completed_at    timestamptz,
  next_wake_at    timestamptz,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, subscription_id),
  FOREIGN KEY (workspace_id, environment, customer_id) REFERENCES tollgate.customers (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, transaction_id) REFERENCES tollgate.subscription_transactions (workspace_id, environment, id)
);
CREATE INDEX checkouts_created ON tollgate.checkouts (workspace_id, environment, created_at, id);
CREATE INDEX checkouts_wake ON tollgate.checkouts (next_wake_at) WHERE next_wake_at IS NOT NULL;
CALL tollgate.protect_tenant_table('tollgate.checkouts', 'SELECT', 'INSERT', 'UPDATE');

-- A command as it was accepted, and what became of it. The workflow is given the id alone, so that neither the body
-- nor the caller's address stands in its history.
CREATE TABLE tollgate.operations (
  workspace_id    text COLLATE "C" NOT NULL,
  environment     tollgate.environment_name NOT NULL,
  id              text COLLATE "C" NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('cancel', 'reactivate', 'change', 'withdraw_scheduled_change', 'record_payment', 'refund')),
  subscription_id text COLLATE "C",
  target_id       text COLLATE "C" NOT NULL,   -- what it acts on: the subscription, a transaction, a payment
  input           jsonb NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  fingerprint     bytea NOT NULL,
  status          text NOT NULL CHECK (status IN ('pending', 'succeeded', 'refused')),
  problem         jsonb,            -- { code, detail, ... } of the last refusal
  reason          text NOT NULL CHECK (reason IN ('API_KEY', 'OPERATOR', 'SYSTEM')),
  operator_id     text COLLATE "C" REFERENCES tollgate.operators (id),
  ip              text,
  request_id      text NOT NULL,
  created_at      timestamptz NOT NULL,
  finished_at     timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, idempotency_key),
  FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions (workspace_id, environment, id)
);
CREATE INDEX operations_created ON tollgate.operations (created_at);
CALL tollgate.protect_tenant_table('tollgate.operations', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');

-- What happened to a subscription, for as long as it is kept; developer events go after their retention.
CREATE TABLE tollgate.subscription_history (
  workspace_id    text COLLATE "C" NOT NULL,
  environment     tollgate.environment_name NOT NULL,
  id              text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  sequence        bigint GENERATED ALWAYS AS IDENTITY,
  kind            text NOT NULL,
  message         text NOT NULL,
  data            jsonb NOT NULL,
  happened_at     timestamptz NOT NULL,   -- the workspace's time
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, subscription_id) REFERENCES tollgate.subscriptions (workspace_id, environment, id)
);
CREATE INDEX subscription_history_subscription
  ON tollgate.subscription_history (workspace_id, environment, subscription_id, sequence);
CALL tollgate.protect_tenant_table('tollgate.subscription_history', 'SELECT', 'INSERT');

-- The sweep's look-ups; `before` is real time, and a sandbox whose clock was advanced is overdue by its own.
GRANT SELECT (workspace_id, environment, id, next_wake_at) ON tollgate.checkouts TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.checkouts FOR SELECT TO tollgate_lookup USING (true);
GRANT SELECT (workspace_id, environment, id, next_wake_at) ON tollgate.refunds TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.refunds FOR SELECT TO tollgate_lookup USING (true);

CREATE FUNCTION tollgate.find_overdue_checkouts(before timestamptz, at_most integer)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT k.workspace_id, k.environment, k.id
          FROM tollgate.checkouts k
          LEFT JOIN tollgate.sandbox_clocks c ON c.workspace_id = k.workspace_id AND c.environment = k.environment
         WHERE k.next_wake_at < before + coalesce(c.offset_ms, 0) * interval '1 millisecond'
         ORDER BY k.next_wake_at LIMIT at_most $$;

-- A refund's wake is real time: a provider does not know the sandbox's.
CREATE FUNCTION tollgate.find_overdue_refunds(before timestamptz, at_most integer)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT r.workspace_id, r.environment, r.id FROM tollgate.refunds r
         WHERE r.next_wake_at < before ORDER BY r.next_wake_at LIMIT at_most $$;

DO $$
DECLARE
  lookup regprocedure;
BEGIN
  FOREACH lookup IN ARRAY ARRAY[
    'tollgate.find_overdue_checkouts(timestamptz, integer)',
    'tollgate.find_overdue_refunds(timestamptz, integer)']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO tollgate_lookup', lookup);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_runtime', lookup);
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION tollgate.enqueue(task text, payload json, key text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
  AS $$
BEGIN
  IF task NOT IN ('poke-subscription', 'poke-checkout', 'poke-refund') THEN
    RAISE EXCEPTION 'tollgate.enqueue: unknown task %', task;
  END IF;
  PERFORM graphile_worker.add_job(task, payload, job_key => key);
END
$$;
