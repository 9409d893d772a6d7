import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** Postgres's own default. */
const ITERATIONS = 4_096;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Returns what Postgres stores of a password (`SCRAM-SHA-256`, RFC 5803). A statement that sets a role's password
 * contains this instead of the password, because Postgres shows and logs the text of statements (`pg_stat_statements`,
 * `log_statement`, a statement that failed). psql's `\password` does the same.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(prepared(password), salt, ITERATIONS, KEY_BYTES, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

const OTHER_SPACES = /[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000]/g;
/** As alternatives, because in one class some would join the characters next to them. */
const MAPPED_TO_NOTHING =
  /\u00AD|\u034F|\u1806|\u180B|\u180C|\u180D|\u200C|\u200D|\u2060|[\uFE00-\uFE0F]|\uFEFF/g;

/** Prepares a password as clients do before they prove it (SASLprep, RFC 4013). */
function prepared(password: string): string {
  return password.replaceAll(OTHER_SPACES, ' ').replaceAll(MAPPED_TO_NOTHING, '').normalize('NFKC');
}
