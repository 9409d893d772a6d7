import type { Environment } from '../domain/environment';
import { TollgateError } from '../domain/errors';
import { hostOf, isRefusedAddress, whyUrlIsRefused, type AddressRules } from '../domain/webhook-address';
import { MAX_URL_LENGTH } from './endpoint-resource';
import type { ResolveHost } from './resolve-host';

/**
 * Checks an endpoint's address and returns it in its stored form. A name that resolves to a refused address is refused
 * now rather than at the first attempt. A name that does not resolve may be registered later, because every connection
 * checks again (src/webhook-deliveries).
 *
 * @throws TollgateError webhook_address_refused
 */
export async function checkAddress(
  url: string,
  environment: Environment,
  { rules, resolveHost }: { rules: AddressRules; resolveHost: ResolveHost },
): Promise<string> {
  const why = whyUrlIsRefused(url, environment, rules);
  if (why !== null) throw refused(why);
  const { href, hostname } = new URL(url);
  const addresses = await resolveHost(hostOf(hostname)).catch(() => []);
  if (addresses.some((address) => isRefusedAddress(address, rules)))
    throw refused('resolves to an address that is not public');
  // Letters outside ASCII take more characters once encoded.
  if (href.length > MAX_URL_LENGTH) throw refused('is too long');
  return href;
}

function refused(why: string): TollgateError {
  return new TollgateError('webhook_address_refused', `/url: ${why}.`, {
    errors: [{ pointer: '/url', message: `${why}.`, fix: 'Send a public address of a web server.' }],
  });
}
