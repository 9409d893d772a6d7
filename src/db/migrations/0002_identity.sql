-- Organizations, the people who operate them, and their sessions. An organization is the billing workspace,
-- so its id is the workspace_id of every tenant table.
CREATE TABLE tollgate.organizations (
  workspace_id text COLLATE "C" PRIMARY KEY,
  name         text NOT NULL,
  slug         text NOT NULL UNIQUE,
  created_at   timestamptz NOT NULL
);
CALL tollgate.protect_organization_table('tollgate.organizations', 'SELECT', 'INSERT', 'UPDATE');

-- Operators and their sessions belong to the platform, not to one organization: a login comes before any
-- workspace is known. The running service reads and writes them by operator or session id only.
CREATE TABLE tollgate.operators (
  id                        text COLLATE "C" PRIMARY KEY,
  email                     text NOT NULL,
  name                      text NOT NULL,
  password_hash             text NOT NULL,
  is_platform_administrator boolean NOT NULL DEFAULT false,
  created_at                timestamptz NOT NULL,
  password_changed_at       timestamptz NOT NULL
);
CREATE UNIQUE INDEX operators_email_key ON tollgate.operators (lower(email));

CREATE TABLE tollgate.operator_sessions (
  id_hash      bytea PRIMARY KEY,
  id           text COLLATE "C" NOT NULL UNIQUE,
  operator_id  text COLLATE "C" NOT NULL REFERENCES tollgate.operators (id) ON DELETE CASCADE,
  created_at   timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  revoked_at   timestamptz,
  user_agent   text,
  ip           text
);
CREATE INDEX operator_sessions_operator ON tollgate.operator_sessions (operator_id);

-- Failed log-ins per account and per address; the layout is rate-limiter-flexible's.
CREATE TABLE tollgate.login_throttle (
  key    text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

DO $$
DECLARE
  platform_table text;
BEGIN
  FOREACH platform_table IN ARRAY ARRAY['operators', 'operator_sessions', 'login_throttle'] LOOP
    EXECUTE format('ALTER TABLE tollgate.%I ENABLE ROW LEVEL SECURITY', platform_table);
    EXECUTE format('ALTER TABLE tollgate.%I FORCE ROW LEVEL SECURITY', platform_table);
    EXECUTE format('CREATE POLICY platform ON tollgate.%I TO tollgate_runtime USING (true) WITH CHECK (true)', platform_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON tollgate.%I TO tollgate_runtime', platform_table);
  END LOOP;
END
$$;

CREATE TABLE tollgate.organization_members (
  workspace_id text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  operator_id  text COLLATE "C" NOT NULL REFERENCES tollgate.operators (id),
  role         text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, operator_id)
);
CALL tollgate.protect_organization_table('tollgate.organization_members');

-- A member joins by a link that is shown once; only the token's SHA-256 is kept.
CREATE TABLE tollgate.member_invitations (
  workspace_id text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  id           text COLLATE "C" NOT NULL,
  email        text NOT NULL,
  role         text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
  token_hash   bytea NOT NULL,
  invited_by   text COLLATE "C" NOT NULL REFERENCES tollgate.operators (id),
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  accepted_at  timestamptz,
  revoked_at   timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX member_invitations_token ON tollgate.member_invitations (token_hash);
CALL tollgate.protect_organization_table('tollgate.member_invitations');
