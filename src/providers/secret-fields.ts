import type { PaymentProvider } from '../domain/provider';
import type { ConnectionAccess } from './connection-access';

/** The secret fields of a connection, grouped by use. */
interface SecretFields {
  /** Required for calls to the provider. */
  calls: readonly string[];
  /** Required to verify webhooks. */
  webhooks: readonly string[];
  /** Accepted from older configurations and ignored. */
  unused: readonly string[];
}

/**
 * Maximum number of secrets in provider A's `webhookSecret`. The bytes of each webhook are hashed once for each of
 * them, signed or not, which takes 1.5 ms for the largest one.
 */
export const MOST_WEBHOOK_SECRETS = 10;

const SECRET_FIELDS: Readonly<Record<PaymentProvider, SecretFields>> = {
  // `webhookSecret` may hold several (`MOST_WEBHOOK_SECRETS`), separated by commas, during a rotation.
  provider_a: { calls: ['secretKey'], webhooks: ['webhookSecret'], unused: [] },
  provider_b: {
    calls: ['clientId', 'clientSecret'],
    webhooks: ['clientId', 'clientSecret', 'webhookId'],
    unused: ['webhookSecret'],
  },
  provider_c: { calls: ['secretKey'], webhooks: ['secretKey'], unused: [] },
};

/** Returns every field that a connection of the provider may hold. */
export function secretFieldsOf(provider: PaymentProvider): string[] {
  const { calls, webhooks, unused } = SECRET_FIELDS[provider];
  return [...new Set([...calls, ...webhooks, ...unused])];
}

/** Returns whether the connection holds every secret that the use requires. */
export function hasSecretsFor(
  use: 'calls' | 'webhooks',
  provider: PaymentProvider,
  { secrets }: Pick<ConnectionAccess, 'secrets'>,
): boolean {
  return SECRET_FIELDS[provider][use].every((field) => (secrets[field] ?? '') !== '');
}
