-- The roles of a Tollgate cluster. Idempotent; run by an administrator (`npm run migrate` with
-- TOLLGATE_DATABASE_ADMIN_URL does it, and sets the passwords of the LOGIN roles).
--
--   tollgate_owner     owns the schema; nobody logs in as it
--   tollgate_migrator  runs migrations and partition maintenance as a member of the owner
--   tollgate_runtime   what the running service may do; the policies name this role
--   tollgate_app       the API's login, which alone sees operators, sessions and keys
--   tollgate_worker    the Temporal worker's login
--   tollgate_deliverer the login of what sends webhooks
--   tollgate_lookup    owns the few SECURITY DEFINER functions that run before a tenant is known
--   tollgate_outbox    owns the job queue (schema graphile_worker)
--   tollgate_relay     the relay's login: the rows of the job queue, and nothing else
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['tollgate_owner', 'tollgate_runtime', 'tollgate_lookup', 'tollgate_outbox'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE', wanted);
    END IF;
  END LOOP;
  FOREACH wanted IN ARRAY ARRAY['tollgate_migrator', 'tollgate_app', 'tollgate_worker', 'tollgate_relay', 'tollgate_deliverer'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
      EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE', wanted);
    END IF;
  END LOOP;
END
$$;

GRANT tollgate_owner, tollgate_lookup, tollgate_outbox TO tollgate_migrator;
GRANT tollgate_lookup, tollgate_outbox TO tollgate_owner;
GRANT tollgate_runtime TO tollgate_app, tollgate_worker, tollgate_deliverer;
-- Earlier versions had it act as the queue's owner.
DO $$
BEGIN
  IF pg_has_role('tollgate_relay', 'tollgate_outbox', 'MEMBER') THEN
    REVOKE tollgate_outbox FROM tollgate_relay;
  END IF;
END
$$;
