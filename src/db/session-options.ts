/** What the service relies on in every session, whatever an operator has set for the database or the role. */
const EVERY_SESSION = {
  /** Every transaction locks before it reads, and must see what was committed while it waited. */
  default_transaction_isolation: 'read committed',
  /** `pools.ts` reads times in this format. */
  DateStyle: 'ISO',
  /** If it is off, each statement on a tenant's table is refused instead of filtered. */
  row_security: 'on',
};

/**
 * Returns what the driver needs to open sessions of the service at an address, with further settings by their names in
 * Postgres. They take precedence over those of the database, of the role, and of the address, whose `options` the
 * driver would use in place of them.
 */
export function sessionOptions(
  url: string,
  settings: Readonly<Record<string, string>> = {},
): { connectionString: string; options: string } {
  const own = Object.entries({ ...EVERY_SESSION, ...settings }).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  );
  const start = url.indexOf('?');
  const parameters = new URLSearchParams(start < 0 ? '' : url.slice(start));
  const ofAddress = parameters.get('options');
  if (ofAddress === null) return { connectionString: url, options: own.join(' ') };
  parameters.delete('options');
  return {
    connectionString: `${url.slice(0, start)}?${parameters.toString()}`,
    // The last one counts where a setting is named twice.
    options: [ofAddress, ...own].join(' '),
  };
}
