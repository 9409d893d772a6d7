-- Browsers that an operator has logged in from: guesses that others make at the account do not hold these up. Only a
-- hash of the cookie's value is here. The worker knows no operators.
CREATE TABLE tollgate.operator_devices (
  token_hash   bytea PRIMARY KEY,
  operator_id  text COLLATE "C" NOT NULL REFERENCES tollgate.operators (id) ON DELETE CASCADE,
  created_at   timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);
CREATE INDEX operator_devices_operator ON tollgate.operator_devices (operator_id, last_used_at);
ALTER TABLE tollgate.operator_devices ENABLE ROW LEVEL SECURITY;
ALTER TABLE tollgate.operator_devices FORCE ROW LEVEL SECURITY;
CREATE POLICY platform ON tollgate.operator_devices TO tollgate_app USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON tollgate.operator_devices TO tollgate_app;
