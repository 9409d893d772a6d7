import { z } from 'zod';

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const TLS_PARAMETERS = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

/** Formats shared by several settings. */
export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: 'is not a postgres:// address', abort: true })
  .refine(
    // Accepts a URL without a host, like the driver, which would take what follows a `#` for a fragment, and for a host
    // or a port the part of a password before a `/` or a `?`. An error would then quote that part.
    (text) => URL.canParse(text.replace('@/', '@host/')) && !/#|^\w+:\/\/[^/?]+(?:\/[^?]*|\?.*)@/.test(text),
    'is not an address: check its port, and percent-encode special characters of the password (/ # ? as %2F %23 %3F)',
  )
  .refine(
    asksForTlsAsWritten,
    `has a TLS parameter that the driver would ignore: write ${TLS_PARAMETERS.join(', ')} like this, and as sslmode one of ${SSL_MODES.join(', ')}`,
  );

/**
 * Returns false if the driver would silently not encrypt, as with `sslMode=verify-full` or an empty `sslmode`. It would
 * take some values of its parameter `ssl` for TLS options, and crash on others, such as `false`.
 */
function asksForTlsAsWritten(address: string): boolean {
  const [, query = ''] = address.split('?', 2);
  return [...new URLSearchParams(query)].every(([name, value]) => {
    if (name === 'sslmode') return SSL_MODES.includes(value);
    if (name === 'ssl') return ['true', '1', '0', 'no-verify'].includes(value);
    const meant = name.toLowerCase().replace(/[_-]/g, '');
    return TLS_PARAMETERS.includes(name) || !TLS_PARAMETERS.includes(meant);
  });
}

/** Trailing slashes are removed, so that a path can be appended. */
export const url = z
  .url({ protocol: /^https?$/, error: 'is not an address that begins with http:// or https://' })
  .refine((text) => !/[?#]/.test(text), 'must not have a query or a fragment, because a path follows it')
  .refine((text) => !/^https?:\/\/[^/]*@/i.test(text), 'must not have a user name or a password')
  .transform((text) => text.replace(/\/+$/, ''));
/**
 * Blanks at the ends are kept but do not count towards the length: a value of blanks may be an unfilled placeholder.
 */
export const secret = z
  .string()
  .refine(
    (text) => text.trim().length >= 32,
    'needs at least 32 characters, not counting leading and trailing blanks',
  );
/** Rejects blanks, because a placeholder left unfilled would be accepted as a name. */
export const name = z.string().regex(/^\S+$/, 'is blank, or has a blank in it');
export const path = z.string().regex(/\S/, 'is blank');

/**
 * Returns the schema of a whole number in this range, in digits. JavaScript reads a blank as 0, which as a port means
 * any port.
 */
export const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: ({ input }) => whyNoNumber(input) })
    .transform(Number)
    .pipe(z.number().min(least, `is less than ${least}`).max(most, `is more than ${most}`));

/**
 * Explains why a value is not a number. For a Service named `tollgate-console`, Kubernetes sets TOLLGATE_CONSOLE_PORT
 * in every container of its namespace.
 */
function whyNoNumber(text: unknown): string {
  if (typeof text !== 'string' || !/^(?:tcp|udp|sctp):\/\//.test(text)) return 'is not a whole number';
  return 'is what Kubernetes sets for a Service of this name: set it in the container, or enableServiceLinks of the pod to false';
}
export const port = integer(0, 65_535);
