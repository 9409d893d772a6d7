import { redirect, useRouteContext, type ParsedLocation } from '@tanstack/react-router';
import type { SecretLinkPage } from '../../../src/domain/secret-links.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Token of the opened link. */
    linkToken?: string;
  }
}

/** Returns the token of the page's link, which `takeToken` has moved out of the address; undefined without one. */
export function useLinkToken(): string | undefined {
  return useRouteContext({ strict: false }).linkToken;
}

/**
 * Reads the token of the opened link. A token in the fragment is first moved to the state of the history's entry. There
 * it survives a reload, and no loaded resource, later page or bookmark contains it.
 *
 * @throws the redirect to the address without the token
 */
export function takeToken(
  page: SecretLinkPage,
  { hash, state }: ParsedLocation,
): { linkToken?: string | undefined } {
  if (hash !== '') throw toPage(page, hash);
  return { linkToken: state.linkToken };
}

/** Returns the redirect to a link's page with the link's token, in place of the current entry of the history. */
export function toPage(page: SecretLinkPage, linkToken: string) {
  return redirect({ to: page, replace: true, state: { linkToken } });
}
