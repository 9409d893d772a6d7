import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { WebhookProvider } from '../connections/connection-ref';

/** A webhook as it came in, before anything is believed of it. */
export interface WebhookDelivery {
  /** The host that it came to. */
  environment: Environment;
  provider: WebhookProvider;
  /** `?connection=` of its address. */
  connectionId: string | null;
  /** The body before any parser. */
  bytes: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values by turns, as they came: a doubled header shows only here. */
  rawHeaders: readonly string[];
  ip: string;
  /** Names the request in the developer events. */
  requestId: string;
}

/** B's signature is in five headers; without each of them nothing is asked of the provider. */
const HEADERS_OF_B = ['id', 'time', 'sig'].map((name) => `paypal-transmission-${name}`);
HEADERS_OF_B.push('paypal-cert-url', 'paypal-auth-algo');

/** Whether its verification is a call to the provider; all others are computed. */
export function asksItsProvider({
  provider,
  headers,
}: Pick<WebhookDelivery, 'provider' | 'headers'>): boolean {
  return provider === 'provider_b' && HEADERS_OF_B.every((name) => typeof headers[name] === 'string');
}

const KEPT = /^(?:content-type|user-agent|stripe-signature|x-paystack-signature|paypal-[a-z-]{1,40})$/;

/** The provider's own headers, for the record; what a proxy or a stranger added is not kept. */
export function keptHeaders(headers: WebhookDelivery['headers']): Record<string, string> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    KEPT.test(name) && typeof value === 'string' ? [[name, storable(value, 2_000)] as const] : [],
  );
  return Object.fromEntries(kept);
}

/** Text from outside as the database can hold it: no NUL, whole characters, of bounded length. */
export function storable(text: string, most: number): string {
  return text.slice(0, most).replaceAll('\0', '�').toWellFormed();
}

/** The years 1 to 9999: no other can be written as a time in an answer. */
const [FIRST_INSTANT, AFTER_LAST] = [-62_135_596_800_000, 253_402_300_800_000];

/** A time from outside as the database can hold it; null for one that is none, so that it keeps nothing else out. */
export function storableInstant(instant: Instant | null): Instant | null {
  return instant !== null && instant >= FIRST_INSTANT && instant < AFTER_LAST ? instant : null;
}
