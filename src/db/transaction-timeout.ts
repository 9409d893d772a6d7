/**
 * Disables, for a session, the `transaction_timeout` that an operator has set for the database or the role. Postgres has
 * the setting since version 17. An earlier version would refuse a session that names it among its start-up parameters,
 * so this is a statement, which then changes nothing.
 */
export const DISABLE_TRANSACTION_TIMEOUT =
  "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'";
