-- For the search of customers (0082). Without these, a search that few customers match reads all customers of the
-- workspace. docs/upgrade.md says how to build them beforehand.
CREATE INDEX IF NOT EXISTS customers_name ON tollgate.customers (workspace_id, environment, (lower(name) COLLATE "C"))
  WHERE name IS NOT NULL;
CREATE INDEX IF NOT EXISTS customers_email ON tollgate.customers (workspace_id, environment, (lower(email) COLLATE "C"))
  WHERE email IS NOT NULL;
