/** Permissions that a secret key may have. */
export const KEY_SCOPES = [
  'read',
  'usage',
  'customers',
  'subscriptions',
  'billing',
  'events',
  'webhooks',
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Scopes of a key that was created before keys had scopes, and of a key created without naming any. */
export const EARLIER_SCOPES: readonly KeyScope[] = ['usage', 'customers', 'events'];

/** Scope that a route requires of a key. */
export interface RequiredScope {
  /** Any one of these suffices; the first is the one to request. */
  anyOf: readonly [KeyScope, ...KeyScope[]];
  /** Excludes keys created before keys had scopes: they keep what they could do then, and gain nothing. */
  namedOnly?: true;
}

/**
 * Whether a key may use a route.
 *
 * @param scopes null for a key that was created before keys had scopes
 */
export function allowsScope(
  scopes: readonly KeyScope[] | null,
  { anyOf, namedOnly }: RequiredScope,
): boolean {
  if (scopes === null && namedOnly === true) return false;
  const held = scopes ?? EARLIER_SCOPES;
  return anyOf.some((scope) => held.includes(scope));
}
