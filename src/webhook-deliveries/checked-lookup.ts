import { isIPv6, type LookupFunction } from 'node:net';
import { isRefusedAddress, type AddressRules } from '../domain/webhook-address';
import type { ResolveHost } from '../webhook-endpoints/resolve-host';

/** A host name resolves to an address that webhooks must not be sent to. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';
}

/**
 * Number of IPv4 and of IPv6 addresses that a connection tries. A name's owner may give it thousands, and Node would
 * try them all.
 */
const MAX_TRIED = 4;

/**
 * Creates the look-up for one connection. The connection is made to the addresses that were checked here: the name is
 * resolved only once, so a different second answer has no effect. One refused address refuses the name.
 */
export function checkedLookup(rules: AddressRules, resolveHost: ResolveHost): LookupFunction {
  return (name, options, callback) => {
    resolveHost(name).then(
      (found) => {
        const wanted = ([4, 6] as const)
          .filter(
            (family) => options.family === undefined || options.family === 0 || family === options.family,
          )
          .flatMap((family) => found.filter((address) => familyOf(address) === family).slice(0, MAX_TRIED));
        const [first] = wanted;
        if (found.some((address) => isRefusedAddress(address, rules))) {
          callback(new RefusedAddressError('The name leads to an address that is not public.'), '', 0);
        } else if (first === undefined) {
          callback(new Error('The name has no address.'), '', 0);
        } else if (options.all === true) {
          callback(
            null,
            wanted.map((address) => ({ address, family: familyOf(address) })),
          );
        } else {
          callback(null, first, familyOf(first));
        }
      },
      (error: unknown) => {
        callback(new Error('The name could not be looked up.', { cause: error }), '', 0);
      },
    );
  };
}

function familyOf(address: string): 4 | 6 {
  return isIPv6(address) ? 6 : 4;
}
