-- What must be looked up before the tenant is known. Each function returns ids (and what decides whether they
-- may be used) only; it belongs to tollgate_lookup, whose SELECT policies below are all that it can see. The
-- catalogue lint knows this list.
GRANT SELECT (workspace_id, environment, id, key_hash, expires_at, revoked_at) ON tollgate.api_keys TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.api_keys FOR SELECT TO tollgate_lookup USING (true);
CREATE FUNCTION tollgate.find_api_key(hash bytea)
  RETURNS TABLE (workspace_id text, environment text, id text, expires_at timestamptz, revoked_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT k.workspace_id, k.environment, k.id, k.expires_at, k.revoked_at FROM tollgate.api_keys k WHERE k.key_hash = hash $$;

GRANT SELECT (workspace_id, operator_id, role) ON tollgate.organization_members TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.organization_members FOR SELECT TO tollgate_lookup USING (true);
CREATE FUNCTION tollgate.find_memberships(operator text)
  RETURNS TABLE (workspace_id text, role text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT m.workspace_id, m.role FROM tollgate.organization_members m WHERE m.operator_id = operator $$;

GRANT SELECT (workspace_id, id, token_hash, expires_at, accepted_at, revoked_at) ON tollgate.member_invitations TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.member_invitations FOR SELECT TO tollgate_lookup USING (true);
CREATE FUNCTION tollgate.find_invitation(token bytea)
  RETURNS TABLE (workspace_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT i.workspace_id, i.id FROM tollgate.member_invitations i WHERE i.token_hash = token $$;

-- Sweeps and the verifier get ids here and then work tenant by tenant.
GRANT SELECT (workspace_id) ON tollgate.organizations TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.organizations FOR SELECT TO tollgate_lookup USING (true);
CREATE FUNCTION tollgate.list_workspaces()
  RETURNS TABLE (workspace_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT o.workspace_id FROM tollgate.organizations o ORDER BY o.workspace_id $$;

GRANT SELECT (workspace_id, environment, id, next_wake_at) ON tollgate.subscriptions TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.subscriptions FOR SELECT TO tollgate_lookup USING (true);
GRANT SELECT (workspace_id, environment, offset_ms) ON tollgate.sandbox_clocks TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.sandbox_clocks FOR SELECT TO tollgate_lookup USING (true);
-- `before` is real time; a sandbox whose clock was advanced is overdue by its own.
CREATE FUNCTION tollgate.find_overdue_subscriptions(before timestamptz, at_most integer)
  RETURNS TABLE (workspace_id text, environment text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT o.workspace_id, o.environment, o.id FROM (
          SELECT s.workspace_id, s.environment, s.id, s.next_wake_at FROM tollgate.subscriptions s
           WHERE s.next_wake_at < before
           UNION
          SELECT s.workspace_id, s.environment, s.id, s.next_wake_at
            FROM tollgate.sandbox_clocks c
            JOIN tollgate.subscriptions s ON s.workspace_id = c.workspace_id AND s.environment = c.environment
           WHERE c.offset_ms > 0 AND s.next_wake_at < before + c.offset_ms * interval '1 millisecond') AS o
        ORDER BY o.next_wake_at LIMIT at_most $$;

DO $$
DECLARE
  lookup regprocedure;
BEGIN
  FOREACH lookup IN ARRAY ARRAY[
    'tollgate.find_api_key(bytea)', 'tollgate.find_memberships(text)', 'tollgate.find_invitation(bytea)',
    'tollgate.list_workspaces()', 'tollgate.find_overdue_subscriptions(timestamptz, integer)']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO tollgate_lookup', lookup);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_runtime', lookup);
  END LOOP;
END
$$;
