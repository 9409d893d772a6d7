import type { PaymentProvider } from '../domain/provider';
import { secretFieldsOf } from '../providers/secret-fields';

/** Shorter secrets show no hint: four characters would reveal too much. */
const SHOWN_FROM = 12;
const MASK = '••••';

/** Returns the part of each secret that is stored for display: its last four characters. */
export function hintsOf(secrets: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets).map(([field, value]) => [
      field,
      value.length < SHOWN_FROM ? '' : value.slice(-4),
    ]),
  );
}

/** Returns every secret field of the provider, masked; null if nothing is stored. */
export function maskedSecrets(
  provider: PaymentProvider,
  hints: Readonly<Record<string, string>>,
): Record<string, string | null> {
  return Object.fromEntries(
    secretFieldsOf(provider).map((field) => {
      const hint = hints[field];
      return [field, hint === undefined ? null : MASK + hint];
    }),
  );
}
