-- Whether a command has left state that its workflow completes: a pending provider call, a reserved refund, or a checkout
-- being created. Refunds and checkouts of commands have the command's id with their own prefix. A checkout left by a
-- refused attempt does not count.
GRANT SELECT (subscription_id) ON tollgate.operations TO tollgate_lookup;
GRANT SELECT (provider_work) ON tollgate.subscriptions TO tollgate_lookup;
GRANT SELECT (status, reference, failure) ON tollgate.checkouts TO tollgate_lookup;

CREATE FUNCTION tollgate.operation_has_started(workspace text, env text, operation text) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT EXISTS (
          SELECT FROM tollgate.operations o
            JOIN tollgate.subscriptions s
              ON s.workspace_id = o.workspace_id AND s.environment = o.environment AND s.id = o.subscription_id
           WHERE o.workspace_id = workspace AND o.environment = env AND o.id = operation
             AND s.provider_work -> 'unsettled' ->> 'operationId' = operation)
     OR EXISTS (
          SELECT FROM tollgate.refunds r
           WHERE r.workspace_id = workspace AND r.environment = env AND r.id = regexp_replace(operation, '^op_', 'ref_'))
     OR EXISTS (
          SELECT FROM tollgate.checkouts k
           WHERE k.workspace_id = workspace AND k.environment = env AND k.id = regexp_replace(operation, '^op_', 'chk_')
             AND NOT (k.status = 'expired' AND k.reference IS NULL AND k.failure IS NOT NULL)) $$;
ALTER FUNCTION tollgate.operation_has_started(text, text, text) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.operation_has_started(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.operation_has_started(text, text, text) TO tollgate_app, tollgate_worker, tollgate_relay;
