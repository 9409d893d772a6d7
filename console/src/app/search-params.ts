import { parseSearchWith } from '@tanstack/react-router';

/** Filters as the address takes them: those that are set. */
export function setParams(filters: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * A word of an address, as it stands there: `42` and `true` are external ids, too. What the router writes in quotes, so that
 * it is not taken for something else, is read without them.
 */
export const parseSearch = parseSearchWith((word) => {
  const parsed: unknown = word.startsWith('"') ? JSON.parse(word) : word;
  return typeof parsed === 'string' ? parsed : word;
});

/** A word of an address; undefined where it has none, or an empty one. */
export function wordOf(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  // The router has read digits as a number, and true and false, where nothing is lost by it.
  const isWord = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isWord && value !== '' ? String(value) : undefined;
}

// What is wrong in an address is `undefined` in what these read: a member that is left out stays as the address has it.

/** Reads the tab that an address names, of those that the page has. */
export function readTabOf(tabs: readonly string[]) {
  return ({ tab }: Record<string, unknown>): { tab?: string | undefined } => ({
    tab: tabs.find((name) => name === tab),
  });
}

/** The tab of payments that an address names, and the one record of it. */
export function readPaymentSearch(search: Record<string, unknown>): {
  tab?: string | undefined;
  id?: string | undefined;
} {
  return { ...readPaymentTab(search), id: wordOf(search, 'id') };
}

const readPaymentTab = readTabOf(['payments', 'transactions', 'refunds', 'settlements', 'checkouts']);

/** The act that an address filters records by. */
export function readAction(search: Record<string, unknown>): { action?: string | undefined } {
  return { action: wordOf(search, 'action') };
}

/** What an address searches for. */
export function readSearch(search: Record<string, unknown>): { search?: string | undefined } {
  return { search: wordOf(search, 'search') };
}

/** The plan group that an address names. */
export function readGroup(search: Record<string, unknown>): { group?: string | undefined } {
  return { group: wordOf(search, 'group') };
}

/** What an address looks up of decisions. */
export function readDecisionSearch(search: Record<string, unknown>): {
  id?: string | undefined;
  before?: string | undefined;
} {
  const before = wordOf(search, 'before');
  const isTime = before !== undefined && !Number.isNaN(Date.parse(before));
  return { id: wordOf(search, 'id'), before: isTime ? before : undefined };
}

/** Where one goes after signing in: only a path of this page, for `//host` would be another one's. */
export function readNext({ next }: Record<string, unknown>): { next?: string | undefined } {
  return { next: typeof next === 'string' && /^\/(?!\/|\\)/.test(next) ? next : undefined };
}

/** What of an endpoint's deliveries an address shows. */
export interface DeliverySearch {
  status?: string | undefined;
  /** The message whose attempts are open. */
  delivery?: string | undefined;
  /** The resend whose progress is shown. */
  resend?: string | undefined;
}

/** The deliveries that an address shows. */
export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  return {
    status: wordOf(search, 'status'),
    delivery: wordOf(search, 'delivery'),
    resend: wordOf(search, 'resend'),
  };
}
