-- What payment providers settle, line by line as they name it, and what customers dispute.

-- A provider's settlement is recorded once for its reference, with the provider's own amounts: `net` is what was paid
-- out. What of it nothing here explains is `unmatched`, and `difference` says it in words. One that failed at the
-- provider keeps its amounts and has no payments or refunds: they wait for the next.
ALTER TABLE tollgate.settlements
  ADD COLUMN connection_id text COLLATE "C",
  ADD COLUMN reference     text COLLATE "C",
  ADD COLUMN status        text NOT NULL DEFAULT 'settled' CHECK (status IN ('settled', 'failed')),
  ADD COLUMN unmatched     bigint NOT NULL DEFAULT 0,
  ADD COLUMN difference    text,
  DROP CONSTRAINT settlements_check1,
  ADD CONSTRAINT settlements_net_check CHECK (net = paid - refunded - fees + unmatched),
  DROP CONSTRAINT settlements_fees_check,
  -- A provider may give fees back.
  ADD CONSTRAINT settlements_fees_check CHECK (fees >= 0 OR provider <> 'internal'),
  ADD CONSTRAINT settlements_reference_whole CHECK (num_nulls(connection_id, reference) IN (0, 2)),
  ADD CONSTRAINT settlements_connection_fkey FOREIGN KEY (workspace_id, environment, connection_id)
    REFERENCES tollgate.provider_connections (workspace_id, environment, id);
CREATE UNIQUE INDEX settlements_reference ON tollgate.settlements (workspace_id, environment, connection_id, reference)
  WHERE reference IS NOT NULL;
CREATE INDEX settlements_connection ON tollgate.settlements (workspace_id, environment, connection_id, period_end)
  WHERE connection_id IS NOT NULL;
GRANT UPDATE ON tollgate.settlements TO tollgate_runtime;

-- The lines of a provider's settlement as it names them. `amount` is before fees, and below zero where money went
-- back; `target_id` is the payment or refund that the settlement counts for it, NULL where nothing here is it.
CREATE TABLE tollgate.settlement_lines (
  workspace_id  text COLLATE "C" NOT NULL,
  environment   tollgate.environment_name NOT NULL,
  settlement_id text COLLATE "C" NOT NULL,
  position      integer NOT NULL,
  kind          text COLLATE "C" NOT NULL,
  reference     text COLLATE "C" NOT NULL,
  amount        bigint NOT NULL,
  fee           bigint NOT NULL,
  target_id     text COLLATE "C",
  PRIMARY KEY (workspace_id, environment, settlement_id, position),
  FOREIGN KEY (workspace_id, environment, settlement_id) REFERENCES tollgate.settlements (workspace_id, environment, id)
);
CREATE INDEX settlement_lines_unmatched ON tollgate.settlement_lines (workspace_id, environment, reference)
  WHERE target_id IS NULL;
CALL tollgate.protect_tenant_table('tollgate.settlement_lines');

-- A payment that its customer disputes with their bank or the provider. Once per reference, whatever order its events
-- come in; `decided_at` is the provider's time of the decision that stands.
CREATE TABLE tollgate.disputes (
  workspace_id   text COLLATE "C" NOT NULL,
  environment    tollgate.environment_name NOT NULL,
  id             text COLLATE "C" NOT NULL,
  payment_id     text COLLATE "C" NOT NULL,
  connection_id  text COLLATE "C" NOT NULL,
  reference      text COLLATE "C" NOT NULL,
  status         text NOT NULL CHECK (status IN ('open', 'won', 'lost')),
  currency       tollgate.currency_code NOT NULL,
  amount         bigint NOT NULL CHECK (amount > 0),
  reason         text,
  told_as_refund boolean NOT NULL,   -- the provider also tells of a loss by a refund: the two are one
  opened_at      timestamptz NOT NULL,
  decided_at     timestamptz,
  created_at     timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, connection_id, reference),
  FOREIGN KEY (workspace_id, environment, payment_id) REFERENCES tollgate.payments (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections (workspace_id, environment, id),
  CHECK ((status = 'open') = (decided_at IS NULL))
);
CREATE INDEX disputes_payment ON tollgate.disputes (workspace_id, environment, payment_id);
CALL tollgate.protect_tenant_table('tollgate.disputes', 'SELECT', 'INSERT', 'UPDATE');

-- Money that a lost dispute took counts like a refund that the provider made.
ALTER TABLE tollgate.refunds
  ADD COLUMN kind       text NOT NULL DEFAULT 'refund' CHECK (kind IN ('refund', 'dispute')),
  ADD COLUMN dispute_id text COLLATE "C",
  ADD CONSTRAINT refunds_dispute_whole CHECK ((kind = 'dispute') = (dispute_id IS NOT NULL)),
  ADD CONSTRAINT refunds_dispute_fkey FOREIGN KEY (workspace_id, environment, dispute_id)
    REFERENCES tollgate.disputes (workspace_id, environment, id);
CREATE UNIQUE INDEX refunds_dispute ON tollgate.refunds (workspace_id, environment, dispute_id) WHERE dispute_id IS NOT NULL;

ALTER TABLE tollgate.provider_references
  DROP CONSTRAINT provider_references_kind_check,
  ADD CONSTRAINT provider_references_kind_check CHECK (kind IN ('subscription', 'customer', 'checkout', 'order', 'capture', 'payment', 'charge', 'invoice', 'refund', 'payout', 'dispute'));
