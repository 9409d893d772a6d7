-- The one-time checkout that a payment was made through; null for others, and for payments recorded before this, whose
-- references do not name it at every provider. No foreign key, which would lock both tables at once: the id is that of a
-- checkout read in the same transaction, and checkouts are not deleted. Almost no row has one, so the index is small.
ALTER TABLE tollgate.payments ADD COLUMN checkout_id text COLLATE "C";
CREATE INDEX payments_checkout ON tollgate.payments (workspace_id, environment, checkout_id) WHERE checkout_id IS NOT NULL;
