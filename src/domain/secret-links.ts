/** The console's pages that are opened by a link with a secret token in its fragment. */
export const SECRET_LINK_PAGES = { invitation: '/invite', reset: '/reset' } as const;

export type SecretLinkPage = (typeof SECRET_LINK_PAGES)[keyof typeof SECRET_LINK_PAGES];

/**
 * Returns the link to such a page. A browser does not send the fragment, so that the token appears in no log of a
 * proxy, and in no Referer.
 */
export function secretLink(consoleUrl: string, page: SecretLinkPage, token: string): string {
  return `${consoleUrl}${page}#${token}`;
}
