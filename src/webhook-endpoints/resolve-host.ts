import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { errorCode } from '../domain/errors';

/** The addresses of a host name; none where it has none. Rejects where nobody can say now. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

/** How long a name server may take, and how often it is asked. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** A name that has no such record, or is not there at all. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND', 'ENODOMAIN', 'ESERVFAIL']);

/**
 * Asks the name servers of the machine, both for IPv4 and IPv6. It does not use the system's own look-up, which takes
 * one of a process's few threads for as long as a name server is silent: a few dead names would hold up every other one.
 * So names of the hosts file are unknown here, but for `localhost`.
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
    const answers = await Promise.all([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]);
    return answers.flat();
  };
}
