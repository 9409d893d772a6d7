/** The link of an invitation or a reset, whose token is in the fragment. */

/** Returns the link's token. */
export function tokenOf(link: unknown): string {
  return new URL(String(link)).hash.slice(1);
}

/** Returns the link without its host, because a test's console has another one. */
export function addressOf(link: unknown): string {
  const { pathname, hash } = new URL(String(link));
  return pathname + hash;
}
