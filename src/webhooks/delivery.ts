import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { PaymentProvider } from '../domain/provider';
import type { ReceivedWebhook } from '../providers/provider-adapter';

/** An incoming webhook, not verified yet. */
export interface WebhookDelivery extends Omit<ReceivedWebhook, 'receivedAt'> {
  /** The environment of the receiving host. */
  environment: Environment;
  provider: PaymentProvider;
  /** `?connection=` of its address. */
  connectionId: string | null;
  ip: string;
  /** Identifies the request in the developer events. */
  requestId: string;
}

/** The five headers of B's signature; without all of them the provider is not called. */
const HEADERS_OF_B = ['id', 'time', 'sig'].map((name) => `paypal-transmission-${name}`);
HEADERS_OF_B.push('paypal-cert-url', 'paypal-auth-algo');

/** Returns whether verification needs a call to the provider; other signatures are computed. */
export function isVerifiedByProvider({
  provider,
  headers,
}: Pick<WebhookDelivery, 'provider' | 'headers'>): boolean {
  return provider === 'provider_b' && HEADERS_OF_B.every((name) => typeof headers[name] === 'string');
}

const KEPT = /^(?:content-type|user-agent|stripe-signature|x-paystack-signature|paypal-[a-z-]{1,40})$/;

/** Returns the provider's own headers, which are stored; all others are dropped. */
export function storedHeaders(headers: WebhookDelivery['headers']): Record<string, string> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    KEPT.test(name) && typeof value === 'string' ? [[name, storableText(value, 2_000)] as const] : [],
  );
  return Object.fromEntries(kept);
}

/** Makes external text storable in Postgres: without NUL, well-formed, at most `most` characters. */
export function storableText(text: string, most: number): string {
  return text.slice(0, most).replaceAll('\0', '�').toWellFormed();
}

/** The years 1 to 9999, the range of times that an answer can express. */
const [FIRST_INSTANT, AFTER_LAST] = [-62_135_596_800_000, 253_402_300_800_000];

/** Makes an external time storable in Postgres; null if it is out of range. */
export function storableInstant(instant: Instant | null): Instant | null {
  return instant !== null && instant >= FIRST_INSTANT && instant < AFTER_LAST ? instant : null;
}
