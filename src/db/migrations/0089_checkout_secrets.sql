-- Version of the connection's secrets with which a checkout was created at its provider. An account that other secrets
-- lead to does not have the checkout, which says nothing about it. Null until it is created, in local billing, and in
-- checkouts from before this.
ALTER TABLE tollgate.checkouts ADD COLUMN secret_version integer;
