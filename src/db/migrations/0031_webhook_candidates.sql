-- Which connections a webhook may be for: those that hold what its verification needs, found by their id, by what the
-- body refers to, or by the provider's account that it names.
ALTER TABLE tollgate.provider_connections
  ADD COLUMN can_verify boolean NOT NULL GENERATED ALWAYS AS (
    envelope IS NOT NULL AND CASE provider
      WHEN 'provider_a' THEN secret_hints -> 'webhookSecret' IS NOT NULL
      WHEN 'provider_b' THEN secret_hints -> 'clientId' IS NOT NULL AND secret_hints -> 'clientSecret' IS NOT NULL
                         AND secret_hints -> 'webhookId' IS NOT NULL
      ELSE secret_hints -> 'secretKey' IS NOT NULL
    END) STORED,
  -- The account at the provider, as the connection's public settings say.
  ADD COLUMN account_reference text COLLATE "C" GENERATED ALWAYS AS (
    CASE provider WHEN 'provider_b' THEN coalesce(settings ->> 'merchantId', settings ->> 'accountId')
                  ELSE coalesce(settings ->> 'accountId', settings ->> 'merchantId') END) STORED;

CREATE INDEX provider_connections_id ON tollgate.provider_connections (id);
CREATE INDEX provider_connections_account ON tollgate.provider_connections (provider, environment, account_reference)
  WHERE can_verify AND disabled_at IS NULL AND account_reference IS NOT NULL;
CREATE INDEX provider_connections_verifying ON tollgate.provider_connections (provider, environment, created_at, id)
  WHERE can_verify AND disabled_at IS NULL;
GRANT SELECT (can_verify, account_reference) ON tollgate.provider_connections TO tollgate_lookup;

-- Many at once; `place` is the position in the arrays. One that is incomplete is found: it is refused as such.
CREATE FUNCTION tollgate.find_named_connections(ids text[], at_environments text[], of_providers text[])
  RETURNS TABLE (place integer, workspace_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT q.place::integer, c.workspace_id, c.id
          FROM unnest(ids, at_environments, of_providers) WITH ORDINALITY AS q (id, environment, provider, place)
          JOIN tollgate.provider_connections c
            ON c.id = q.id AND c.environment = q.environment AND c.provider = q.provider
         WHERE c.disabled_at IS NULL $$;

-- For many webhooks at once; `places` says which webhook each reference is of. At most so many for each, and so many
-- of a workspace, so that no workspace takes the places of others.
CREATE FUNCTION tollgate.find_referred_connections(at_environment text, of_provider text, places integer[],
                                                   kinds text[], refs text[], of_workspace integer, at_most integer)
  RETURNS TABLE (place integer, workspace_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT m.place, m.workspace_id, m.id
          FROM (SELECT n.*, row_number() OVER (PARTITION BY n.place ORDER BY n.nth, n.workspace_id, n.id) AS position
                  FROM (SELECT d.*, row_number() OVER (PARTITION BY d.place, d.workspace_id ORDER BY d.id) AS nth
                          FROM (SELECT DISTINCT q.place, c.workspace_id, c.id
                                  FROM unnest(places, kinds, refs) AS q (place, kind, reference)
                                  JOIN tollgate.provider_references r ON r.provider = of_provider
                                   AND r.environment = at_environment AND r.kind = q.kind AND r.reference = q.reference
                                  JOIN tollgate.provider_connections c ON c.workspace_id = r.workspace_id
                                   AND c.environment = r.environment AND c.id = r.connection_id
                                 WHERE c.disabled_at IS NULL AND c.can_verify) AS d) AS n
                 WHERE n.nth <= of_workspace) AS m
         WHERE m.position <= at_most
         ORDER BY m.place, m.position $$;

-- Those whose settings name one of these accounts at the provider.
CREATE FUNCTION tollgate.find_account_connections(at_environment text, of_provider text, accounts text[],
                                                  of_workspace integer, at_most integer)
  RETURNS TABLE (account text, workspace_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT m.account, m.workspace_id, m.id
          FROM (SELECT n.*, row_number() OVER (PARTITION BY n.account ORDER BY n.nth, n.created_at, n.id) AS position
                  FROM (SELECT a.account, c.workspace_id, c.id, c.created_at,
                               row_number() OVER (PARTITION BY a.account, c.workspace_id ORDER BY c.created_at, c.id) AS nth
                          FROM (SELECT DISTINCT unnest(accounts) AS account) AS a
                          JOIN tollgate.provider_connections c ON c.account_reference = a.account
                         WHERE c.environment = at_environment AND c.provider = of_provider
                           AND c.disabled_at IS NULL AND c.can_verify) AS n
                 WHERE n.nth <= of_workspace) AS m
         WHERE m.position <= at_most
         ORDER BY m.account, m.position $$;

-- The oldest that are there; of an environment's connections it looks at no more than 200.
CREATE FUNCTION tollgate.find_verifying_connections(at_environment text, of_provider text, of_workspace integer,
                                                    at_most integer)
  RETURNS TABLE (workspace_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT n.workspace_id, n.id
          FROM (SELECT d.*, row_number() OVER (PARTITION BY d.workspace_id ORDER BY d.created_at, d.id) AS nth
                  FROM (SELECT c.workspace_id, c.id, c.created_at FROM tollgate.provider_connections c
                         WHERE c.environment = at_environment AND c.provider = of_provider
                           AND c.disabled_at IS NULL AND c.can_verify
                         ORDER BY c.created_at, c.id LIMIT 200) AS d) AS n
         WHERE n.nth <= of_workspace
         ORDER BY n.nth, n.created_at, n.id LIMIT at_most $$;

DO $$
DECLARE
  lookup regprocedure;
BEGIN
  FOREACH lookup IN ARRAY ARRAY[
    'tollgate.find_named_connections(text[], text[], text[])',
    'tollgate.find_referred_connections(text, text, integer[], text[], text[], integer, integer)',
    'tollgate.find_account_connections(text, text, text[], integer, integer)',
    'tollgate.find_verifying_connections(text, text, integer, integer)']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO tollgate_lookup', lookup);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_runtime', lookup);
  END LOOP;
END
$$;
