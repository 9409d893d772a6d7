import type { Provider } from '../domain/subscription-types';

/** A payment provider, to which a workspace connects an account; internal billing has none. */
export type ConnectedProvider = Exclude<Provider, 'internal'>;
export const CONNECTED_PROVIDERS = ['provider_a', 'provider_b', 'provider_c'] as const;

/**
 * The secret fields of a connection, by provider. `webhookSecret` of A may hold several, separated by commas, during a
 * rotation; that of B is kept from older configurations and verifies nothing.
 */
export const SECRET_FIELDS: Readonly<Record<ConnectedProvider, readonly string[]>> = {
  provider_a: ['secretKey', 'webhookSecret'],
  provider_b: ['clientId', 'clientSecret', 'webhookId', 'webhookSecret'],
  provider_c: ['secretKey'],
};

/** The single secrets in a member's value. */
export function partsOf(value: string): string[] {
  return value.split(',').filter((part) => part !== '');
}

/** Shorter secrets show no hint: four characters would reveal too much. */
const SHOWN_FROM = 12;

/** The hints that listings show: the last four characters of each field. */
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
