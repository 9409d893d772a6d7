-- The second factor of operators: a TOTP secret, sealed by the credential key ring, and recovery codes, of which only
-- a hash is kept. They are the api's alone: the worker holds the ring, and sees no operators.
CREATE TABLE tollgate.operator_second_factors (
  operator_id       text COLLATE "C" PRIMARY KEY REFERENCES tollgate.operators (id) ON DELETE CASCADE,
  key_id            text COLLATE "C" NOT NULL,
  envelope          bytea NOT NULL,
  revision          integer NOT NULL CHECK (revision > 0),
  created_at        timestamptz NOT NULL,
  -- Until then it holds nothing up, and belongs to the session that began it.
  confirmed_at      timestamptz,
  enrolling_session text COLLATE "C" REFERENCES tollgate.operator_sessions (id) ON DELETE CASCADE,
  -- The last time step of which a code was accepted: none is accepted twice (RFC 6238, section 5.2).
  last_step         bigint,
  CHECK ((confirmed_at IS NULL) = (enrolling_session IS NOT NULL))
);
CREATE INDEX operator_second_factors_session ON tollgate.operator_second_factors (enrolling_session);

CREATE TABLE tollgate.operator_recovery_codes (
  operator_id text COLLATE "C" NOT NULL REFERENCES tollgate.operators (id) ON DELETE CASCADE,
  code_hash   bytea NOT NULL,
  created_at  timestamptz NOT NULL,
  used_at     timestamptz,
  PRIMARY KEY (operator_id, code_hash)
);

-- A log-in whose password was right and that waits for a code. It is no session.
CREATE TABLE tollgate.operator_login_challenges (
  token_hash  bytea PRIMARY KEY,
  operator_id text COLLATE "C" NOT NULL REFERENCES tollgate.operators (id) ON DELETE CASCADE,
  created_at  timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL
);
CREATE INDEX operator_login_challenges_operator ON tollgate.operator_login_challenges (operator_id, created_at);

DO $$
DECLARE
  private_table text;
BEGIN
  FOREACH private_table IN ARRAY ARRAY['operator_second_factors', 'operator_recovery_codes', 'operator_login_challenges'] LOOP
    EXECUTE format('ALTER TABLE tollgate.%I ENABLE ROW LEVEL SECURITY', private_table);
    EXECUTE format('ALTER TABLE tollgate.%I FORCE ROW LEVEL SECURITY', private_table);
    EXECUTE format('CREATE POLICY platform ON tollgate.%I TO tollgate_app USING (true) WITH CHECK (true)', private_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON tollgate.%I TO tollgate_app', private_table);
  END LOOP;
END
$$;
-- `maintain` deletes what has expired, and sees nothing but when.
CREATE POLICY expiry ON tollgate.operator_login_challenges TO tollgate_worker USING (true) WITH CHECK (true);
GRANT DELETE, SELECT (expires_at) ON tollgate.operator_login_challenges TO tollgate_worker;

-- When the second factor was last confirmed in a session, and the address that last used it.
ALTER TABLE tollgate.operator_sessions
  ADD COLUMN second_factor_at timestamptz,
  ADD COLUMN last_ip text;

ALTER TABLE tollgate.organizations ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false;

-- A link by which a member who lost their device or password sets a new one; only the token's SHA-256 is kept.
CREATE TABLE tollgate.member_reset_links (
  workspace_id text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  id           text COLLATE "C" NOT NULL,
  operator_id  text COLLATE "C" NOT NULL REFERENCES tollgate.operators (id),
  token_hash   bytea NOT NULL,
  issued_by    text COLLATE "C" NOT NULL REFERENCES tollgate.operators (id),
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  used_at      timestamptz,
  revoked_at   timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX member_reset_links_token ON tollgate.member_reset_links (token_hash);
CREATE INDEX member_reset_links_member ON tollgate.member_reset_links (workspace_id, operator_id);
CALL tollgate.protect_organization_table('tollgate.member_reset_links');
REVOKE ALL ON tollgate.member_reset_links FROM tollgate_runtime;
GRANT SELECT, INSERT, UPDATE, DELETE ON tollgate.member_reset_links TO tollgate_app;
GRANT DELETE, SELECT (workspace_id, expires_at) ON tollgate.member_reset_links TO tollgate_worker;

-- What must be looked up before the tenant is known.
GRANT SELECT (workspace_id, id, token_hash) ON tollgate.member_reset_links TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.member_reset_links FOR SELECT TO tollgate_lookup USING (true);
CREATE FUNCTION tollgate.find_reset_link(token bytea)
  RETURNS TABLE (workspace_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT l.workspace_id, l.id FROM tollgate.member_reset_links l WHERE l.token_hash = token $$;

GRANT SELECT (require_second_factor) ON tollgate.organizations TO tollgate_lookup;
GRANT SELECT (operator_id, key_id, confirmed_at) ON tollgate.operator_second_factors TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.operator_second_factors FOR SELECT TO tollgate_lookup USING (true);
-- `must_enrol`: the organization requires a second factor, and the operator has none.
CREATE FUNCTION tollgate.find_memberships_of(operator text)
  RETURNS TABLE (workspace_id text, role text, must_enrol boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT m.workspace_id, m.role,
               o.require_second_factor AND NOT EXISTS (
                 SELECT FROM tollgate.operator_second_factors f WHERE f.operator_id = operator AND f.confirmed_at IS NOT NULL)
          FROM tollgate.organization_members m
          JOIN tollgate.organizations o ON o.workspace_id = m.workspace_id
         WHERE m.operator_id = operator $$;

-- How many of these secrets each key wraps: a key may go only when it wraps none.
CREATE FUNCTION tollgate.count_second_factors()
  RETURNS TABLE (key_id text, envelopes bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT f.key_id, count(*) FROM tollgate.operator_second_factors f GROUP BY f.key_id $$;

DO $$
DECLARE
  lookup regprocedure;
BEGIN
  FOREACH lookup IN ARRAY ARRAY['tollgate.find_reset_link(bytea)', 'tollgate.find_memberships_of(text)',
                                'tollgate.count_second_factors()']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO tollgate_lookup', lookup);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_app', lookup);
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION tollgate.count_second_factors() TO tollgate_worker, tollgate_deliverer;
