import { z } from 'zod';
import type { Environment } from '../domain/environment';
import { TollgateError } from '../domain/errors';
import {
  isSecureEnough,
  mayReturnTo,
  returnUrlOfConnection,
  whyReturnUrlIsRefused,
} from '../domain/return-origins';

const MAX_CHARACTERS = 2_000;

/** Where a payment provider sends a customer back to, as sent in requests. */
export const returnUrlInput = z
  .string()
  .max(MAX_CHARACTERS)
  .refine((address) => whyReturnUrlIsRefused(address) === null, {
    error: ({ input }) => whyReturnUrlIsRefused(String(input)) ?? undefined,
    params: { fix: 'Send an address such as https://app.example.com/billing.' },
  })
  .meta({ format: 'uri' });

/** Where the customer goes after the provider's page. */
interface ReturnUrls {
  successUrl: string;
  cancelUrl: string;
}

/**
 * Returns the requested addresses. The fallback is the connection's.
 *
 * @param returnPage the address of that page
 * @throws TollgateError validation_failed for http in production
 */
export function returnUrlsOf(
  requested: { successUrl?: string | undefined; cancelUrl?: string | undefined },
  settings: Readonly<Record<string, unknown>>,
  { environment, returnPage }: { environment: Environment; returnPage: string },
): ReturnUrls {
  for (const member of ['successUrl', 'cancelUrl'] as const) {
    const address = requested[member];
    if (address !== undefined) requireSecureEnough(member, address, environment);
  }
  const fallback = returnUrlOfConnection(settings, environment, returnPage);
  return { successUrl: requested.successUrl ?? fallback, cancelUrl: requested.cancelUrl ?? fallback };
}

/**
 * Refuses return addresses with an origin that the settings do not allow.
 *
 * @throws TollgateError return_origin_forbidden
 */
export function requireReturnOrigins(
  requested: { successUrl?: string | undefined; cancelUrl?: string | undefined },
  { returnOrigins }: { returnOrigins: readonly string[] },
  environment: Environment,
): void {
  for (const member of ['successUrl', 'cancelUrl'] as const) {
    const address = requested[member];
    if (address !== undefined) requireReturnOrigin(member, address, returnOrigins, environment);
  }
}

/**
 * Refuses an address that a page must not link back to.
 *
 * @param member the request's member that contains it
 * @throws TollgateError validation_failed for http in production, return_origin_forbidden
 */
export function requireReturnAddress(
  member: string,
  address: string,
  { returnOrigins }: { returnOrigins: readonly string[] },
  environment: Environment,
): void {
  requireSecureEnough(member, address, environment);
  requireReturnOrigin(member, address, returnOrigins, environment);
}

function requireReturnOrigin(
  member: string,
  address: string,
  returnOrigins: readonly string[],
  environment: Environment,
): void {
  if (mayReturnTo(address, returnOrigins, environment)) return;
  const message = `is of ${new URL(address).origin}, which is not one of the settings’ returnOrigins`;
  throw new TollgateError('return_origin_forbidden', `/${member}: ${message}`, {
    errors: [
      { pointer: `/${member}`, message, fix: 'Add the origin to the settings, or leave the address out.' },
    ],
  });
}

function requireSecureEnough(member: string, address: string, environment: Environment): void {
  if (isSecureEnough(address, environment)) return;
  const message = 'is not https, which production needs';
  throw new TollgateError('validation_failed', `/${member}: ${message}`, {
    errors: [{ pointer: `/${member}`, message, fix: 'Send an https address.' }],
  });
}
