/**
 * Every transaction locks before it reads, and must see what was committed while it waited. At another level, which an
 * operator may set as the default of a database or role, it would read what was there before.
 */
const ISOLATION = { default_transaction_isolation: 'read committed' };

/**
 * Returns the start-up parameter `options` of a session of the service, with further settings by their names in
 * Postgres. They take precedence over those of the database and the role.
 */
export function sessionOptions(settings: Readonly<Record<string, string>> = {}): string {
  return Object.entries({ ...ISOLATION, ...settings })
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ');
}
