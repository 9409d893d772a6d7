/**
 * Lifts the limit on the length of a transaction that an operator has set for the database or the role. Postgres has it
 * since version 17; an earlier one would refuse a session that names it at its start.
 */
export const LIFT_TRANSACTION_LIMIT =
  "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'";
