import { parseSearchWith } from '@tanstack/react-router';

/** Returns the filters that are set, for the address. */
export function setParams(filters: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Parses a word of an address as text, because `42` and `true` are external ids, too. Quotes that the router adds to
 * mark text are removed.
 */
export const parseSearch = parseSearchWith((word) => {
  const parsed: unknown = word.startsWith('"') ? JSON.parse(word) : word;
  return typeof parsed === 'string' ? parsed : word;
});

/** Encodes a word for the address of a link, so that `parseSearch` returns it: `"a"` with its quotes, too. */
export function toSearchWord(word: string): string {
  return encodeURIComponent(word.startsWith('"') ? JSON.stringify(word) : word);
}

/** Returns a word of an address; undefined if it is missing or empty. */
export function wordOf(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  // The router parses digits as numbers, and true and false as booleans, if that loses nothing.
  const isWord = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isWord && value !== '' ? String(value) : undefined;
}

// The readers below return `undefined` for an invalid member. If they omitted it, the address would keep it.

/** Creates a reader of the tab in an address, limited to the page's tabs. */
export function readTabOf(tabs: readonly string[]) {
  return ({ tab }: Record<string, unknown>): { tab?: string | undefined } => ({
    tab: tabs.find((name) => name === tab),
  });
}

/** Reads the tab of payments in an address, and the id of a single record or the customer's external id. */
export function readPaymentSearch(search: Record<string, unknown>): {
  tab?: string | undefined;
  id?: string | undefined;
  externalId?: string | undefined;
} {
  return {
    ...readPaymentTab(search),
    id: wordOf(search, 'id'),
    externalId: wordOf(search, 'externalId'),
  };
}

const readPaymentTab = readTabOf(['payments', 'transactions', 'refunds', 'settlements', 'checkouts']);

/** Reads the action by which an address filters records. */
export function readAction(search: Record<string, unknown>): { action?: string | undefined } {
  return { action: wordOf(search, 'action') };
}

/** Reads which commands an address shows. */
export function readCommandSearch(search: Record<string, unknown>): {
  id?: string | undefined;
  subscriptionId?: string | undefined;
} {
  return { id: wordOf(search, 'id'), subscriptionId: wordOf(search, 'subscriptionId') };
}

/** Reads the search text of an address. */
export function readSearch(search: Record<string, unknown>): { search?: string | undefined } {
  return { search: wordOf(search, 'search') };
}

/** Reads the plan group of an address. */
export function readGroup(search: Record<string, unknown>): { group?: string | undefined } {
  return { group: wordOf(search, 'group') };
}

/** Reads which decisions an address looks up. */
export function readDecisionSearch(search: Record<string, unknown>): {
  id?: string | undefined;
  before?: string | undefined;
} {
  const before = wordOf(search, 'before');
  const isTime = before !== undefined && !Number.isNaN(Date.parse(before));
  return { id: wordOf(search, 'id'), before: isTime ? before : undefined };
}

/**
 * Reads the address to open after signing in. Only a path of this page is accepted, because `//host` would lead to
 * another site.
 */
export function readNext({ next }: Record<string, unknown>): { next?: string | undefined } {
  return { next: typeof next === 'string' && /^\/(?!\/|\\)/.test(next) ? next : undefined };
}

/** Which of an endpoint's deliveries an address shows. */
export interface DeliverySearch {
  status?: string | undefined;
  /** The message whose attempts are expanded. */
  delivery?: string | undefined;
  /** The resend whose progress is shown. */
  resend?: string | undefined;
}

/** Reads which deliveries an address shows. */
export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  return {
    status: wordOf(search, 'status'),
    delivery: wordOf(search, 'delivery'),
    resend: wordOf(search, 'resend'),
  };
}
