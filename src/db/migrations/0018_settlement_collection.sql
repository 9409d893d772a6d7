-- Until when the provider was asked for its settlements, by the workspace's time; NULL before the first time. A
-- settlement that a webhook tells of does not say that those before it are known.
ALTER TABLE tollgate.provider_connections ADD COLUMN collected_until timestamptz;
