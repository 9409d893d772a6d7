-- A secret that is rolled without an overlap ends every secret of before at once. An api of a version that does not know
-- older_secrets (0070) clears the latest of them alone; the others would sign again from the next deliverer on that does.
CREATE FUNCTION tollgate.end_older_secrets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.older_secrets := '[]';
  NEW.older_key_ids := '{}';
  NEW.older_secrets_until := NULL;
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION tollgate.end_older_secrets() FROM PUBLIC;

-- Only a roll sets the last four characters.
CREATE TRIGGER older_end_with_latest BEFORE UPDATE OF secret_last_four ON tollgate.webhook_endpoints
  FOR EACH ROW WHEN (NEW.previous_secret_envelope IS NULL AND NEW.older_secrets <> '[]')
  EXECUTE FUNCTION tollgate.end_older_secrets();
