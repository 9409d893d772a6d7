-- Provider connections, their sealed credentials, and the webhooks that providers send.

-- A workspace's account at a payment provider. The secrets are one envelope (src/credentials), sealed anew as a whole
-- with each change; the public settings change without touching it.
CREATE TABLE tollgate.provider_connections (
  workspace_id  text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  environment   tollgate.environment_name NOT NULL,
  id            text COLLATE "C" NOT NULL,
  provider      text NOT NULL CHECK (provider IN ('provider_a', 'provider_b', 'provider_c')),
  display_name  text NOT NULL,
  api_mode      text NOT NULL CHECK (api_mode IN ('sandbox', 'live')),
  settings      jsonb NOT NULL,     -- public: { merchantId?, planReferences, planMappings, … }
  envelope      bytea,              -- NULL until a secret was given
  key_id        text,               -- of the ring's key that wraps the envelope's data key
  revision      integer NOT NULL DEFAULT 0 CHECK (revision >= 0),
  secret_hints  jsonb NOT NULL DEFAULT '{}',   -- { member: last four characters }
  disabled_at   timestamptz,
  version       bigint NOT NULL DEFAULT 1,
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  CHECK (num_nulls(envelope, key_id) IN (0, 2)),
  CHECK ((environment = 'production') = (api_mode = 'live'))
);
CREATE INDEX provider_connections_provider ON tollgate.provider_connections (workspace_id, environment, provider);
CREATE INDEX provider_connections_candidates ON tollgate.provider_connections (provider, environment, created_at, id);
CREATE INDEX provider_connections_key ON tollgate.provider_connections (key_id);
CALL tollgate.protect_tenant_table('tollgate.provider_connections');

-- Keyed hashes of the secrets that sandbox connections have held, so that none is copied into production. Of the
-- organization as a whole: production must see the sandbox's.
CREATE TABLE tollgate.sandbox_secret_fingerprints (
  workspace_id  text COLLATE "C" NOT NULL REFERENCES tollgate.organizations (workspace_id),
  fingerprint   bytea NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  created_at    timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, fingerprint)
);
CALL tollgate.protect_organization_table('tollgate.sandbox_secret_fingerprints', 'SELECT', 'INSERT');

-- Which references at the provider belong to which connection: how a webhook without ?connection= finds its own.
CREATE TABLE tollgate.provider_references (
  workspace_id  text COLLATE "C" NOT NULL,
  environment   tollgate.environment_name NOT NULL,
  provider      text NOT NULL CHECK (provider IN ('provider_a', 'provider_b', 'provider_c')),
  kind          text COLLATE "C" NOT NULL CHECK (kind IN ('subscription', 'customer', 'checkout', 'order', 'capture', 'payment', 'charge', 'invoice', 'refund', 'payout')),
  reference     text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  target_id     text COLLATE "C" NOT NULL,   -- our subscription, customer, checkout, payment, refund, settlement
  created_at    timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, provider, kind, reference),
  FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections (workspace_id, environment, id)
);
CREATE INDEX provider_references_target ON tollgate.provider_references (workspace_id, environment, target_id);
CREATE INDEX provider_references_lookup ON tollgate.provider_references (provider, environment, kind, reference);
CALL tollgate.protect_tenant_table('tollgate.provider_references', 'SELECT', 'INSERT', 'UPDATE');

-- A webhook that was verified for one connection, with its bytes as they came. `dedupe_key` is the provider's event
-- id, or where it has none, a hash of what the event says.
CREATE TABLE tollgate.webhook_events (
  workspace_id   text COLLATE "C" NOT NULL,
  environment    tollgate.environment_name NOT NULL,
  id             text COLLATE "C" NOT NULL,
  connection_id  text COLLATE "C" NOT NULL,
  provider       text NOT NULL,
  event_type     text NOT NULL,
  dedupe_key     text COLLATE "C" NOT NULL,
  status         text NOT NULL CHECK (status IN ('applied', 'ignored', 'unmatched', 'failed')),
  reason         text,             -- why not, in words
  changes        jsonb NOT NULL DEFAULT '[]',
  deliveries     integer NOT NULL DEFAULT 1 CHECK (deliveries >= 1),
  body           bytea NOT NULL,
  headers        jsonb NOT NULL,   -- the provider's own, without secrets
  occurred_at    timestamptz,
  received_at    timestamptz NOT NULL,
  processed_at   timestamptz,
  PRIMARY KEY (workspace_id, environment, id),
  UNIQUE (workspace_id, environment, connection_id, dedupe_key),
  FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections (workspace_id, environment, id)
);
CREATE INDEX webhook_events_received ON tollgate.webhook_events (workspace_id, environment, received_at, id);
CREATE INDEX webhook_events_not_applied ON tollgate.webhook_events (workspace_id, environment, status, received_at, id)
  WHERE status <> 'applied';
CALL tollgate.protect_tenant_table('tollgate.webhook_events', 'SELECT', 'INSERT', 'UPDATE');

-- Failed deliveries that one connection can be named for. Above a number a minute, a failure raises the count of the
-- minute's row instead of adding one, so that the sum of counts is the number of attempts and a flood adds nothing.
CREATE TABLE tollgate.webhook_failures (
  workspace_id  text COLLATE "C" NOT NULL,
  environment   tollgate.environment_name NOT NULL,
  id            text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  provider      text NOT NULL,
  kind          text NOT NULL CHECK (kind IN ('signature', 'processing', 'unavailable')),
  reason        text NOT NULL,
  count         bigint NOT NULL DEFAULT 1 CHECK (count >= 1),
  minute        timestamptz NOT NULL,
  overflow      boolean NOT NULL DEFAULT false,
  first_at      timestamptz NOT NULL,
  last_at       timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, environment, id),
  FOREIGN KEY (workspace_id, environment, connection_id) REFERENCES tollgate.provider_connections (workspace_id, environment, id)
);
CREATE UNIQUE INDEX webhook_failures_overflow ON tollgate.webhook_failures (workspace_id, environment, connection_id, kind, minute)
  WHERE overflow;
CREATE INDEX webhook_failures_minute ON tollgate.webhook_failures (workspace_id, environment, connection_id, minute);
CALL tollgate.protect_tenant_table('tollgate.webhook_failures', 'SELECT', 'INSERT', 'UPDATE');

-- The platform's own audit: what cannot be tied to one workspace, log-ins, migrations. Read by platform administrators.
CREATE TABLE tollgate.platform_audit (
  id          text COLLATE "C" PRIMARY KEY,
  action      text NOT NULL,
  operator_id text COLLATE "C" REFERENCES tollgate.operators (id),
  host        text,
  provider    text,
  detail      jsonb NOT NULL,
  ip          text,
  count       bigint NOT NULL DEFAULT 1 CHECK (count >= 1),
  minute      timestamptz NOT NULL,
  overflow    boolean NOT NULL DEFAULT false,
  created_at  timestamptz NOT NULL,
  last_at     timestamptz NOT NULL
);
CREATE UNIQUE INDEX platform_audit_overflow ON tollgate.platform_audit (action, coalesce(host, ''), coalesce(provider, ''), minute) WHERE overflow;
CREATE INDEX platform_audit_newest ON tollgate.platform_audit (created_at, id);
CREATE INDEX platform_audit_minute ON tollgate.platform_audit (action, minute);

-- Which keys each running process holds, and which key writes.
CREATE TABLE tollgate.key_ring_runtimes (
  id         text COLLATE "C" PRIMARY KEY,
  process    text NOT NULL,
  key_ids    text[] NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at    timestamptz NOT NULL
);
CREATE TABLE tollgate.key_ring_state (
  singleton     boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  active_key_id text NOT NULL,
  switched_at   timestamptz NOT NULL
);
-- A run of the migration to the active key: what it has done so far.
CREATE TABLE tollgate.credential_migrations (
  id           text COLLATE "C" PRIMARY KEY,
  key_id       text NOT NULL,
  status       text NOT NULL CHECK (status IN ('running', 'complete', 'failed')),
  migrated     integer NOT NULL DEFAULT 0,
  scrubbed     integer NOT NULL DEFAULT 0,
  skipped      integer NOT NULL DEFAULT 0,
  requested_by text COLLATE "C" REFERENCES tollgate.operators (id),
  started_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL
);
DO $$
DECLARE
  platform_table text;
BEGIN
  FOREACH platform_table IN ARRAY ARRAY['platform_audit', 'key_ring_runtimes', 'key_ring_state', 'credential_migrations'] LOOP
    EXECUTE format('ALTER TABLE tollgate.%I ENABLE ROW LEVEL SECURITY', platform_table);
    EXECUTE format('ALTER TABLE tollgate.%I FORCE ROW LEVEL SECURITY', platform_table);
    EXECUTE format('CREATE POLICY platform ON tollgate.%I TO tollgate_runtime USING (true) WITH CHECK (true)', platform_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON tollgate.%I TO tollgate_runtime', platform_table);
  END LOOP;
END
$$;
GRANT DELETE ON tollgate.key_ring_runtimes TO tollgate_runtime;

-- Before a webhook's workspace is known: which connections it may belong to. Ids only.
GRANT SELECT (workspace_id, environment, id, provider, key_id, disabled_at, created_at) ON tollgate.provider_connections TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.provider_connections FOR SELECT TO tollgate_lookup USING (true);
GRANT SELECT (workspace_id, environment, provider, kind, reference, connection_id) ON tollgate.provider_references TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.provider_references FOR SELECT TO tollgate_lookup USING (true);

CREATE FUNCTION tollgate.find_connection(connection text, at_environment text, of_provider text)
  RETURNS TABLE (workspace_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT c.workspace_id, c.id FROM tollgate.provider_connections c
         WHERE c.id = connection AND c.environment = at_environment AND c.provider = of_provider AND c.disabled_at IS NULL $$;

CREATE FUNCTION tollgate.find_connections_of_references(at_environment text, of_provider text, kinds text[], refs text[], at_most integer)
  RETURNS TABLE (workspace_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT DISTINCT c.workspace_id, c.id
          FROM unnest(kinds, refs) AS q (kind, reference)
          JOIN tollgate.provider_references r ON r.provider = of_provider AND r.environment = at_environment
           AND r.kind = q.kind AND r.reference = q.reference
          JOIN tollgate.provider_connections c ON c.workspace_id = r.workspace_id AND c.environment = r.environment
           AND c.id = r.connection_id
         WHERE c.disabled_at IS NULL
         ORDER BY 1, 2 LIMIT at_most $$;

CREATE FUNCTION tollgate.find_connection_candidates(at_environment text, of_provider text, at_most integer)
  RETURNS TABLE (workspace_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT c.workspace_id, c.id FROM tollgate.provider_connections c
         WHERE c.environment = at_environment AND c.provider = of_provider AND c.disabled_at IS NULL
         ORDER BY c.created_at, c.id LIMIT at_most $$;

-- For the migration of credentials and its report, which then work tenant by tenant.
CREATE FUNCTION tollgate.list_connections(after text, at_most integer)
  RETURNS TABLE (workspace_id text, environment text, id text, key_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
  AS $$ SELECT c.workspace_id, c.environment, c.id, c.key_id FROM tollgate.provider_connections c
         WHERE c.id > after ORDER BY c.id LIMIT at_most $$;

DO $$
DECLARE
  lookup regprocedure;
BEGIN
  FOREACH lookup IN ARRAY ARRAY[
    'tollgate.find_connection(text, text, text)',
    'tollgate.find_connections_of_references(text, text, text[], text[], integer)',
    'tollgate.find_connection_candidates(text, text, integer)',
    'tollgate.list_connections(text, integer)']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO tollgate_lookup', lookup);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', lookup);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tollgate_runtime', lookup);
  END LOOP;
END
$$;
