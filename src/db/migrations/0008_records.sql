-- Answers of idempotent operations other than track (whose answers stay with the usage event), kept 30 days.
CREATE TABLE tollgate.idempotency_answers (
  workspace_id    text COLLATE "C" NOT NULL,
  environment     tollgate.environment_name NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  fingerprint     bytea NOT NULL,
  status          integer NOT NULL,
  body            json NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, idempotency_key)
);
CREATE INDEX idempotency_answers_created ON tollgate.idempotency_answers (created_at);
CALL tollgate.protect_tenant_table('tollgate.idempotency_answers', 'SELECT', 'INSERT', 'DELETE');

-- What operators did: who, what, when, from where. Never updated, never deleted by the service. An act on the
-- organization as a whole (members, invitations) has no environment.
CREATE TABLE tollgate.audit_records (
  workspace_id text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  id           text COLLATE "C" NOT NULL,
  environment  tollgate.environment_name,
  operator_id  text COLLATE "C" REFERENCES tollgate.operators (id),
  reason       text NOT NULL CHECK (reason IN ('API_KEY', 'OPERATOR', 'SYSTEM')),
  action       text NOT NULL,
  target       text,
  detail       jsonb NOT NULL,
  ip           text,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_records_newest ON tollgate.audit_records (workspace_id, created_at, id);
ALTER TABLE tollgate.audit_records ENABLE ROW LEVEL SECURITY;
ALTER TABLE tollgate.audit_records FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON tollgate.audit_records TO tollgate_runtime
  USING (workspace_id = (SELECT tollgate.workspace_id())
         AND (environment IS NULL OR environment = (SELECT tollgate.environment())))
  WITH CHECK (workspace_id = (SELECT tollgate.workspace_id())
         AND (environment IS NULL OR environment = (SELECT tollgate.environment())));
GRANT SELECT, INSERT ON tollgate.audit_records TO tollgate_runtime;
