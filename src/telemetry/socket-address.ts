import { lookup } from 'node:dns/promises';

/**
 * Where to listen, for the SDK of Temporal, which takes no names: the IP address and the port, with brackets around an
 * IPv6 address.
 *
 * @param host a name or an address
 * @throws the resolver's error where the name leads nowhere
 */
export async function socketAddress(host: string, port: number): Promise<string> {
  const { address, family } = await lookup(host);
  return `${family === 6 ? `[${address}]` : address}:${port}`;
}
