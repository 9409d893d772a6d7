-- What the api's login may do and the worker's may not, and the other way round. Both are members of
-- tollgate_runtime, which the policies name; a right that one of them has no use for is granted to the other alone.

-- Operators, their sessions and what they log in with are the api's.
DO $$
DECLARE
  private_table text;
BEGIN
  FOREACH private_table IN ARRAY ARRAY['operators', 'operator_sessions', 'login_throttle', 'organization_members',
                                       'member_invitations', 'api_keys'] LOOP
    EXECUTE format('REVOKE ALL ON tollgate.%I FROM tollgate_runtime', private_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON tollgate.%I TO tollgate_app', private_table);
    IF private_table <> 'api_keys' THEN
      EXECUTE format('GRANT DELETE ON tollgate.%I TO tollgate_app', private_table);
    END IF;
  END LOOP;
END
$$;
-- `maintain` deletes what has expired, and sees nothing but when.
GRANT DELETE, SELECT (expires_at, revoked_at) ON tollgate.operator_sessions TO tollgate_worker;
GRANT DELETE, SELECT (expire) ON tollgate.login_throttle TO tollgate_worker;
GRANT DELETE, SELECT (workspace_id, expires_at, accepted_at, revoked_at) ON tollgate.member_invitations TO tollgate_worker;

-- The platform's audit is added to and read. A flood raises the count of one row, which is all that this function can.
REVOKE ALL ON tollgate.platform_audit FROM tollgate_runtime;
GRANT SELECT, INSERT ON tollgate.platform_audit TO tollgate_app;
CREATE POLICY overflow ON tollgate.platform_audit TO tollgate_owner USING (overflow) WITH CHECK (overflow);
CREATE FUNCTION tollgate.count_platform_audit(new_id text, act text, act_host text, act_provider text,
                                              act_minute timestamptz, first_at timestamptz, until_at timestamptz, times bigint)
  RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog
  AS $$
INSERT INTO tollgate.platform_audit AS a (id, action, host, provider, detail, minute, overflow, created_at, last_at, count)
VALUES (new_id, act, act_host, act_provider, '{}', act_minute, true, first_at, until_at, times)
ON CONFLICT (action, coalesce(host, ''), coalesce(provider, ''), minute) WHERE overflow
DO UPDATE SET count = a.count + excluded.count, last_at = greatest(a.last_at, excluded.last_at)
$$;
REVOKE ALL ON FUNCTION tollgate.count_platform_audit(text, text, text, text, timestamptz, timestamptz, timestamptz, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.count_platform_audit(text, text, text, text, timestamptz, timestamptz, timestamptz, bigint) TO tollgate_app;

-- Look-ups by a secret are the api's; those of the sweeps the worker's.
DO $$
DECLARE
  lookup regprocedure;
BEGIN
  FOREACH lookup IN ARRAY ARRAY['tollgate.find_api_key(bytea)', 'tollgate.find_invitation(bytea)',
                                'tollgate.find_memberships(text)']::regprocedure[] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM tollgate_runtime', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_app', lookup);
  END LOOP;
  FOREACH lookup IN ARRAY ARRAY['tollgate.find_overdue_subscriptions(timestamptz, integer)',
                                'tollgate.find_overdue_checkouts(timestamptz, integer)',
                                'tollgate.find_overdue_refunds(timestamptz, integer)',
                                'tollgate.find_open_operations(timestamptz, integer)']::regprocedure[] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM tollgate_runtime', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_worker', lookup);
  END LOOP;
END
$$;

-- The relay takes jobs and makes nothing: it is no member of the queue's owner any more (src/db/roles.sql), and has the
-- rows of its tables, whose row-level security has no policy of the queue's own.
GRANT USAGE ON SCHEMA graphile_worker TO tollgate_relay;
GRANT SELECT ON graphile_worker.migrations TO tollgate_relay;
DO $$
DECLARE
  queue_table text;
BEGIN
  FOREACH queue_table IN ARRAY ARRAY['_private_jobs', '_private_tasks', '_private_job_queues', '_private_known_crontabs'] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON graphile_worker.%I TO tollgate_relay', queue_table);
    EXECUTE format('CREATE POLICY relay ON graphile_worker.%I TO tollgate_relay USING (true) WITH CHECK (true)', queue_table);
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION tollgate.operation_has_ended(text, text, text) FROM tollgate_outbox;
GRANT EXECUTE ON FUNCTION tollgate.operation_has_ended(text, text, text) TO tollgate_relay;
