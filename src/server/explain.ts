import { errorCode, isTollgateError } from '../domain/errors';
import {
  classifyFailure,
  isCertificateRefused,
  isFileUnreadable,
  isSessionEnded,
  isTlsFailed,
} from '../db/failure';
import { hasSqlState, isSchemaMissing } from '../db/sql-state';
import { grpcStatusOf, isTemporalUnavailable } from '../temporal/grpc-errors';

/** The driver's messages, which have no code. */
const NO_PASSWORD = /client password must be a/;
const NO_ROLE = /^role .* does not exist$/;
const NO_TLS = /^The server does not support SSL connections/;

/**
 * Returns the message that an entry point prints for the error that ended it: one sentence if its reader can fix it.
 */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isTollgateError(error)) return error.detail;
  // If a connection was refused on several addresses, the reason is one level down.
  if (error instanceof AggregateError && error.message === '') return explain(error.errors[0]);
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error) {
    return `Port ${String(error.port)} is taken. Stop the process that listens there, or set another TOLLGATE_…_PORT.`;
  }
  if ('code' in error && error.code === 'EACCES' && 'port' in error) {
    return `This account may not listen on port ${String(error.port)}. Set another TOLLGATE_…_PORT, from 1024 upwards, or give the process the capability CAP_NET_BIND_SERVICE.`;
  }
  if ('code' in error && error.code === 'EADDRNOTAVAIL' && 'address' in error) {
    return `This machine has no address ${String(error.address)} to listen on. Set TOLLGATE_LISTEN_HOST to one that it has.`;
  }
  // For example of a link-local address: without its interface, it leads nowhere.
  if ('code' in error && error.code === 'EINVAL' && 'syscall' in error && error.syscall === 'listen') {
    const address = 'address' in error ? String(error.address) : 'this address';
    return `This machine cannot listen on ${address}. Set TOLLGATE_LISTEN_HOST to an address that it has; a link-local one needs its interface (fe80::1%eth0).`;
  }
  if ('code' in error && error.code === 'ENOTFOUND' && 'hostname' in error) {
    return `No address was found for the name "${String(error.hostname)}". Correct the setting that contains it: the address of a database, or TOLLGATE_LISTEN_HOST.`;
  }
  if (isSchemaMissing(error)) {
    return `The database schema is missing or older than this build needs, so run npm run migrate first, or correct the address of the database (TOLLGATE_DATABASE_…) if it names another one: ${error.message}`;
  }
  const temporal = grpcStatusOf(error);
  if (isTemporalUnavailable(error)) {
    return `Temporal has not answered (${temporal?.details ?? error.message}). Check that it is running, and that TEMPORAL_ADDRESS leads to it.`;
  }
  const isSettingRefused =
    isSessionEnded(error) &&
    (hasSqlState(error, 'invalid_parameter_value') || hasSqlState(error, 'undefined_object'));
  // The role that logs in, or the one that the session then asks for.
  if (
    (isSettingRefused || hasSqlState(error, 'invalid_authorization_specification')) &&
    NO_ROLE.test(error.message)
  ) {
    return `Postgres refused the log-in: ${error.message}. Run npm run migrate with TOLLGATE_DATABASE_ADMIN_URL, which creates the roles, or correct the address of the database (TOLLGATE_DATABASE_…).`;
  }
  if (isSettingRefused) {
    return `Postgres refused a setting of the session: ${error.message}. Correct the options in the address of the database (TOLLGATE_DATABASE_…).`;
  }
  if (hasSqlState(error, 'invalid_authorization_specification')) {
    return `Postgres refused the log-in: ${error.message}. Correct its pg_hba.conf or the role, or the address of the database (TOLLGATE_DATABASE_…).`;
  }
  if (hasSqlState(error, 'invalid_password') || hasSqlState(error, 'invalid_catalog_name')) {
    return `Postgres refused the log-in: ${error.message}. Correct the address of the database (TOLLGATE_DATABASE_…).`;
  }
  if (hasSqlState(error, 'insufficient_privilege')) {
    return `The database role may not do this: ${error.message}. Check that each address of the database (TOLLGATE_DATABASE_…) has the role that docs/configuration.md names, and that all name the same database.`;
  }
  if (NO_PASSWORD.test(error.message)) {
    return 'Postgres asks for a password. Set it in the address of the database (TOLLGATE_DATABASE_…).';
  }
  if (NO_TLS.test(error.message)) {
    return 'Postgres does not offer TLS, which sslmode in the address of the database (TOLLGATE_DATABASE_…) asks for. Correct it, or enable TLS in Postgres.';
  }
  if (isFileUnreadable(error)) {
    // A folder can be opened like a file; reading it then fails, and the error names no path.
    const file = 'path' in error ? `The file ${String(error.path)}` : 'A file';
    return `${file} cannot be read (${errorCode(error)}). If sslrootcert, sslcert or sslkey names it, correct the address of the database (TOLLGATE_DATABASE_…).`;
  }
  if (hasSqlState(error, 'read_only_sql_transaction')) {
    return `Postgres accepts no writes (${error.message}). Set the address of the database (TOLLGATE_DATABASE_…) to that of the primary, or find out why its operator has set it read-only.`;
  }
  if (hasSqlState(error, 'lock_not_available')) {
    return `Another transaction holds a lock that this needs (${error.message}). End it, or try again later; docs/upgrade.md says how to find it.`;
  }
  if (hasSqlState(error, 'too_many_connections')) {
    return `Postgres accepts no further connection (${error.message}). Raise max_connections or the role's CONNECTION LIMIT, or run fewer processes, or lower their pools (TOLLGATE_…_POOL).`;
  }
  if (hasSqlState(error, 'disk_full')) {
    return `The disk of Postgres is full (${error.message}). Free space on it.`;
  }
  if (isCertificateRefused(error)) {
    return `The certificate of Postgres is not valid (${error.message}). Renew it, or correct the host, sslmode or sslrootcert in the address of the database (TOLLGATE_DATABASE_…).`;
  }
  if (isTlsFailed(error)) {
    return `The TLS connection to Postgres failed (${error.message}). Check that sslcert and sslkey in the address of the database (TOLLGATE_DATABASE_…) name PEM files that belong together, and that Postgres trusts their authority.`;
  }
  if (classifyFailure(error) === 'connection') {
    return `Postgres has not answered (${error.message}). Check that it is running and accepts connections, and that the address of the database (TOLLGATE_DATABASE_…) leads to it.`;
  }
  // The SDK's message says what was attempted, its cause what Temporal answered.
  if (temporal?.details !== undefined && !error.message.includes(temporal.details))
    return `${error.message}: ${temporal.details}`;
  return error.message;
}
