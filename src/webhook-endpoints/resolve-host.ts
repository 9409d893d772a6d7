import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { errorCode } from '../domain/errors';

/**
 * Resolves a host name to its addresses; empty if it has none. Rejects if the name servers give no answer, or only that
 * the name has no addresses of one kind.
 */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

/** How long a name server may take, and how often it is queried. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** The name has no such record, or does not exist. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND', 'ENODOMAIN', 'ESERVFAIL']);

/**
 * Creates a resolver that queries the machine's name servers for IPv4 and IPv6. It does not use the system's look-up,
 * which occupies one of a process's few threads while a name server is silent: a few dead names would delay all others.
 * So it does not read the hosts file; only `localhost` is known.
 */
export function createResolveHost(): ResolveHost {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const ask = async (query: Promise<string[]>): Promise<readonly string[]> => {
    try {
      return await query;
    } catch (error) {
      if (NO_ADDRESS.has(errorCode(error) ?? '')) return [];
      throw error;
    }
  };
  return async (name) => {
    if (isIP(name) !== 0) return [name];
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [failed] = answers.filter((answer) => answer.status === 'rejected');
    // Some name servers never answer for IPv6. The addresses of one kind are enough to connect to.
    if (found.length === 0 && failed !== undefined) throw failed.reason;
    return found;
  };
}
