-- The look-ups across workspaces are for who needs them: those that a webhook begins with the api's, those of the
-- sweeps the worker's.
DO $$
DECLARE
  lookup regprocedure;
BEGIN
  FOREACH lookup IN ARRAY ARRAY(
    SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = 'tollgate' AND p.proname IN (
       'find_connection', 'find_connection_candidates', 'find_connections_of_references', 'find_named_connections',
       'find_referred_connections', 'find_account_connections', 'find_verifying_connections')) LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM tollgate_runtime', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_app', lookup);
  END LOOP;
  FOREACH lookup IN ARRAY ARRAY(
    SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = 'tollgate' AND p.proname LIKE 'find\_overdue\_%') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM tollgate_runtime', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_worker', lookup);
  END LOOP;
END
$$;
