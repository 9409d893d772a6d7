/**
 * Lifts, for a session, the limits on whole sessions and transactions that an operator has set for the database or the
 * role. `transaction_timeout` would end what reads or changes many rows, and `idle_session_timeout` a session that
 * holds a lock or listens, or that waits in a pool. Postgres has the former since version 17. An earlier version would
 * refuse a session that names it among its start-up parameters, so this is a statement.
 */
export const LIFT_SESSION_LIMITS =
  "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('transaction_timeout', 'idle_session_timeout')";
