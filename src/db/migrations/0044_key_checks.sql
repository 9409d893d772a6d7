-- What a credential key's bytes must give, for each key that seals or has sealed something: a process that has other
-- bytes under the id is told so when it starts, also where no other process runs.
CREATE TABLE tollgate.key_checks (
  key_id      text COLLATE "C" PRIMARY KEY,
  check_value text NOT NULL,
  recorded_at timestamptz NOT NULL
);
ALTER TABLE tollgate.key_checks ENABLE ROW LEVEL SECURITY;
ALTER TABLE tollgate.key_checks FORCE ROW LEVEL SECURITY;
CREATE POLICY platform ON tollgate.key_checks TO tollgate_runtime USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON tollgate.key_checks TO tollgate_runtime;
