-- credit_grants_unspent (0093) replaces it. It is dropped in a migration of its own, because that locks out checks and
-- tracks: for a moment, not while the indexes are built.
DROP INDEX IF EXISTS tollgate.credit_grants_spendable;
