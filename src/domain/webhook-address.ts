import ipaddr from 'ipaddr.js';
import { BLOCKED_PORTS } from './blocked-ports';
import type { Environment } from './environment';

/**
 * A public address that is nevertheless a service of the machine's cloud: Azure offers it alongside the link-local one.
 */
const CLOUD_ADDRESS = '168.63.129.16';

/** Rules for where webhooks may be sent. */
export interface AddressRules {
  /** Also allows loopback addresses, `localhost` and plain http in production, for receivers on this machine. */
  allowsLoopback: boolean;
}

/** Ports of Postgres, MySQL, Redis and similar services: a request to one of them is not a webhook. */
const DATABASE_PORTS = [
  1433, 1521, 2375, 2376, 2379, 3306, 5432, 5984, 6379, 6443, 7233, 9042, 9200, 10250, 11211, 27017,
];
const CLOSED_PORTS: ReadonlySet<number> = new Set([...DATABASE_PORTS, ...BLOCKED_PORTS]);

/**
 * Returns why no webhook may be sent to this URL, as a clause; null if one may. Does not check what a name resolves to:
 * see {@link isRefusedAddress}.
 *
 * @param url an absolute URL; hosts such as `0x7f.1` are judged as the addresses that they mean
 */
export function whyUrlIsRefused(url: string, environment: Environment, rules: AddressRules): string | null {
  const parsed = parse(url);
  if (parsed === undefined) return 'is not an absolute URL';
  const { protocol, username, password, hostname, port, hash } = parsed;
  if (protocol !== 'https:' && protocol !== 'http:') return 'is not an http or https address';
  if (username !== '' || password !== '') return 'has a user name or a password';
  if (hash !== '') return 'has a fragment';
  const host = hostOf(hostname);
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  if (isLocal && !rules.allowsLoopback) return 'is on this machine';
  const address = literalOf(host);
  if (address !== undefined && isRefusedAddress(address, rules)) return 'is not a public address';
  const onLoopback = isLocal || (address !== undefined && isLoopback(address));
  if (protocol === 'http:' && environment === 'production' && !onLoopback) return 'is not https';
  if (port !== '' && !isOpenPort(Number(port))) return 'has a port that is not for web servers';
  return null;
}

/** Returns the host of a URL, without the brackets of IPv6 and without the trailing dot of a fully qualified name. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Returns a host that is an IP address; undefined for a name. */
function literalOf(host: string): string | undefined {
  return ipaddr.isValid(host) ? host : undefined;
}

/**
 * Whether an address is outside the public internet: private, loopback, link-local (cloud metadata), carrier-grade NAT,
 * multicast, reserved, and the IPv6 forms that embed such an IPv4 address. Anything that is not an address is refused.
 */
export function isRefusedAddress(address: string, { allowsLoopback }: AddressRules): boolean {
  if (!ipaddr.isValid(address)) return true;
  if (allowsLoopback && isLoopback(address)) return false;
  // Turns ::ffff:10.0.0.1 into 10.0.0.1. NAT64, 6to4 and Teredo are ranges of their own, and none of them is unicast.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === CLOUD_ADDRESS) return true;
  return parsed instanceof ipaddr.IPv6 && !isGlobalUnicast(parsed);
}

/** 2000::/3. Addresses outside it have no meaning yet, or an obsolete one: ::10.0.0.1 was an IPv4 address. */
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
}

function isLoopback(address: string): boolean {
  return ipaddr.process(address).range() === 'loopback';
}

function isOpenPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && !CLOSED_PORTS.has(port));
}

function parse(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
