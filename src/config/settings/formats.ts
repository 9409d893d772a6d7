import { z } from 'zod';

/** What several settings have in common. */
export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'is not a postgres:// address')
  // Like the driver, it takes an address without a host.
  .refine((text) => URL.canParse(text.replace('@/', '@host/')), 'is not an address: check its port');
/** Without its trailing slashes, so that a path can follow. */
export const url = z
  .url({ protocol: /^https?$/, error: 'is not an address that begins with http:// or https://' })
  .refine((text) => !/[?#]/.test(text), 'must not have a query or a fragment, because a path follows it')
  .refine((text) => !/^https?:\/\/[^/]*@/i.test(text), 'must not have a user name or a password')
  .transform((text) => text.replace(/\/+$/, ''));
/** Blanks at its ends are kept and do not count: what somebody meant to fill in may be nothing else. */
export const secret = z
  .string()
  .refine(
    (text) => text.trim().length >= 32,
    'needs at least 32 characters, not counting leading and trailing blanks',
  );
/** A blank that was left where a value was meant to go would be a name like any other. */
export const name = z.string().regex(/^\S+$/, 'is blank, or has a blank in it');
export const path = z.string().regex(/\S/, 'is blank');

/** A whole number of this range, in digits. JavaScript reads a blank as 0, which as a port means any port. */
export const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: ({ input }) => whyNoNumber(input) })
    .transform(Number)
    .pipe(z.number().min(least, `is less than ${least}`).max(most, `is more than ${most}`));

/** A Service named `tollgate-console` has Kubernetes set TOLLGATE_CONSOLE_PORT in every container of its namespace. */
function whyNoNumber(text: unknown): string {
  if (typeof text !== 'string' || !/^(?:tcp|udp|sctp):\/\//.test(text)) return 'is not a whole number';
  return 'is what Kubernetes sets for a Service of this name: set it in the container, or enableServiceLinks of the pod to false';
}
export const port = integer(0, 65_535);
