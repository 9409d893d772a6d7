import type { PaymentProvider } from '../domain/provider';

/** A secret found among public settings. */
export interface PublicSecret {
  /** Its path in the settings. */
  path: string[];
  /** The secret field that it contains. */
  member: string;
  value: string;
}

/** Names under which configurations have kept secrets, without case and separators; each field's own name first. */
const NAMES: Readonly<Record<PaymentProvider, Readonly<Record<string, string>>>> = {
  provider_a: {
    secretkey: 'secretKey',
    webhooksecret: 'webhookSecret',
    apikey: 'secretKey',
    apisecret: 'secretKey',
    restrictedkey: 'secretKey',
    signingsecret: 'webhookSecret',
    endpointsecret: 'webhookSecret',
    webhooksigningsecret: 'webhookSecret',
  },
  provider_b: {
    clientid: 'clientId',
    clientsecret: 'clientSecret',
    webhookid: 'webhookId',
    webhooksecret: 'webhookSecret',
    secretkey: 'clientSecret',
    apisecret: 'clientSecret',
  },
  provider_c: {
    secretkey: 'secretKey',
    apikey: 'secretKey',
    apisecret: 'secretKey',
    webhooksecret: 'secretKey',
  },
};
/** Names that never occur in a provider's public settings. */
const ANY_NAME: Readonly<Record<string, string>> = {
  clientsecret: 'clientSecret',
  privatekey: 'privateKey',
  password: 'password',
  accesstoken: 'accessToken',
};

/** A secret recognized by its form, under any name and also within a text. */
const API_KEY = /(?<![A-Za-z0-9])(?:sk|rk)(?:_org)?_(?:test|live)_[A-Za-z0-9]{4,}/;
const SIGNING_SECRET = /(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/=]{4,}/;

/**
 * Finds secrets among public settings, at any depth, by the member's name or by the form of the value. If several
 * belong to one field, the one under the field's own name comes first.
 */
export function findPublicSecrets(
  provider: PaymentProvider,
  settings: Readonly<Record<string, unknown>>,
): PublicSecret[] {
  const found: (PublicSecret & { rank: number })[] = [];
  const visit = (value: unknown, path: string[]): void => {
    if (typeof value === 'string') {
      const name = path.at(-1) ?? '';
      // Integrators choose the names of plans, so a plan's name proves nothing.
      const named = path.length === 1 || !isPlanMap(path[0]) ? byName(provider, name) : undefined;
      const formatted = byFormat(provider, value);
      const member = named ?? formatted;
      if (value === '' || member === undefined) return;
      const rank = name === member ? 0 : named === undefined ? 2 : 1;
      found.push({ path, member, value, rank });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
    }
  };
  visit(settings, []);
  found.sort((one, other) => one.rank - other.rank);
  return found.map(({ path, member, value }) => ({ path, member, value }));
}

/** Returns the settings without these secrets. */
export function withoutPublicSecrets(
  settings: Readonly<Record<string, unknown>>,
  found: readonly PublicSecret[],
): Record<string, unknown> {
  const places = new Set(found.map(({ path }) => JSON.stringify(path)));
  const copy = (value: unknown, path: string[]): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value)
      .filter(([key]) => !places.has(JSON.stringify([...path, key])))
      .map(([key, inner]) => [key, copy(inner, [...path, key])] as const);
    return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
  };
  return copy(settings, []) as Record<string, unknown>;
}

function isPlanMap(name: string | undefined): boolean {
  return name === 'planReferences' || name === 'planMappings';
}

function byName(provider: PaymentProvider, name: string): string | undefined {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  // A setting may be called `constructor`, a property of every object.
  const own = (names: Readonly<Record<string, string>>): string | undefined =>
    Object.hasOwn(names, plain) ? names[plain] : undefined;
  return own(NAMES[provider]) ?? own(ANY_NAME);
}

function byFormat(provider: PaymentProvider, value: string): string | undefined {
  if (SIGNING_SECRET.test(value)) return 'webhookSecret';
  if (!API_KEY.test(value)) return undefined;
  return provider === 'provider_b' ? 'clientSecret' : 'secretKey';
}
