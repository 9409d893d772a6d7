import type { Provider } from '../domain/subscription-types';

/** A provider that a workspace connects an account of; internal billing needs none. */
export type ConnectedProvider = Exclude<Provider, 'internal'>;
export const CONNECTED_PROVIDERS = ['provider_a', 'provider_b', 'provider_c'] as const;

/**
 * What a connection keeps secret, by provider. `webhookSecret` of A may hold several, joined by commas, while one
 * replaces another; that of B is kept from older configurations and verifies nothing.
 */
export const SECRET_MEMBERS: Readonly<Record<ConnectedProvider, readonly string[]>> = {
  provider_a: ['secretKey', 'webhookSecret'],
  provider_b: ['clientId', 'clientSecret', 'webhookId', 'webhookSecret'],
  provider_c: ['secretKey'],
};

/** The single secrets in a member's value. */
export function partsOf(value: string): string[] {
  return value.split(',').filter((part) => part !== '');
}

/** A secret that is shorter shows none of itself: four characters would be too much of it. */
const SHOWN_FROM = 12;

/** What listings may show of a secret set: of each member its last four characters. */
export function hintsOf(secrets: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets).map(([member, value]) => [
      member,
      value.length < SHOWN_FROM ? '' : value.slice(-4),
    ]),
  );
}

/** What a masked secret begins with. */
export const MASK = '••••';
