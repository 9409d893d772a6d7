/** What a secret key may be allowed to do. */
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

/** The scopes of a key that was made before keys had any, and of one whose creation names none. */
export const EARLIER_SCOPES: readonly KeyScope[] = ['usage', 'customers', 'events'];

/** What a route asks of a key. */
export interface RequiredScope {
  /** One of these is enough; the first is the one to ask for. */
  anyOf: readonly [KeyScope, ...KeyScope[]];
  /** Not for keys made before keys had scopes: they keep what they could do then, and gain nothing. */
  namedOnly?: true;
}

/**
 * Whether a key may use a route.
 *
 * @param scopes null for a key that was made before keys had scopes
 */
export function allowsScope(
  scopes: readonly KeyScope[] | null,
  { anyOf, namedOnly }: RequiredScope,
): boolean {
  if (scopes === null && namedOnly === true) return false;
  const held = scopes ?? EARLIER_SCOPES;
  return anyOf.some((scope) => held.includes(scope));
}
