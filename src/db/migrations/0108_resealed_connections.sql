-- How many of a connection's revisions sealed the same secrets again, under another key. The other revisions changed
-- them: what was begun with the secrets before may then be in another account at the provider.
ALTER TABLE tollgate.provider_connections
  ADD COLUMN resealings integer NOT NULL DEFAULT 0 CHECK (resealings >= 0);
