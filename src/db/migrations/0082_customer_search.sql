-- Finds customers by the beginning of their external id, name or address, by the indexes of 0085. They are built in a
-- migration of their own: creating the policy locks out reads of the customers, and a migration that has built indexes
-- before would wait for changes that wait for the build, a deadlock.

-- A function, because row-level security keeps the runtime's own queries from using an index on lower(), which is not
-- leakproof. The matches come first, so that the conditions on them choose no other index. The last character of
-- Unicode ends the range of texts that begin with the search.
GRANT SELECT (workspace_id, environment, id, external_id, name, email, created_at) ON tollgate.customers TO tollgate_lookup;
CREATE POLICY lookup ON tollgate.customers FOR SELECT TO tollgate_lookup USING (true);
CREATE FUNCTION tollgate.find_customers(search text, from_at timestamptz, to_at timestamptz, before_id text, at_most integer)
  RETURNS TABLE (id text)
  LANGUAGE sql STABLE SECURITY DEFINER ROWS 50 SET search_path = pg_catalog
  AS $$
    WITH matching AS MATERIALIZED (
      SELECT c.id, c.created_at FROM tollgate.customers c
       WHERE c.workspace_id = tollgate.workspace_id() AND c.environment = tollgate.environment()
         AND c.external_id >= search AND c.external_id < search || chr(1114111)
      UNION
      SELECT c.id, c.created_at FROM tollgate.customers c
       WHERE c.workspace_id = tollgate.workspace_id() AND c.environment = tollgate.environment()
         AND lower(c.name) COLLATE "C" >= lower(search) AND lower(c.name) COLLATE "C" < lower(search) || chr(1114111)
      UNION
      SELECT c.id, c.created_at FROM tollgate.customers c
       WHERE c.workspace_id = tollgate.workspace_id() AND c.environment = tollgate.environment()
         AND lower(c.email) COLLATE "C" >= lower(search) AND lower(c.email) COLLATE "C" < lower(search) || chr(1114111))
    SELECT m.id FROM matching m
     WHERE (from_at IS NULL OR m.created_at >= from_at) AND (to_at IS NULL OR m.created_at < to_at)
       AND (before_id IS NULL OR m.id < before_id)
     ORDER BY m.id DESC LIMIT at_most $$;
ALTER FUNCTION tollgate.find_customers(text, timestamptz, timestamptz, text, integer) OWNER TO tollgate_lookup;
REVOKE ALL ON FUNCTION tollgate.find_customers(text, timestamptz, timestamptz, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tollgate.find_customers(text, timestamptz, timestamptz, text, integer) TO tollgate_app;
