import { lookup } from 'node:dns/promises';

/**
 * Returns the address to listen on for Temporal's SDK, which accepts no host names: the IP address and the port, with
 * brackets around an IPv6 address.
 *
 * @param host a name or an address
 * @throws the resolver's error if the name cannot be resolved
 */
export async function socketAddress(host: string, port: number): Promise<string> {
  const { address, family } = await lookup(host);
  return `${family === 6 ? `[${address}]` : address}:${port}`;
}
