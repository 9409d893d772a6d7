/** The console's pages that are opened by a link with a secret token in its fragment. */
export const SECRET_LINK_PAGES = { invitation: '/invite', reset: '/reset' } as const;

export type SecretLinkPage = (typeof SECRET_LINK_PAGES)[keyof typeof SECRET_LINK_PAGES];

/** Returns the link to such a page. A browser does not send the fragment, so that no log contains the token. */
export function secretLink(consoleUrl: string, page: SecretLinkPage, token: string): string {
  return `${consoleUrl}${page}#${token}`;
}
