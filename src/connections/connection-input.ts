import { TollgateError, type FieldProblem } from '../domain/errors';
import { findPublicSecrets } from './find-public-secrets';
import { MOST_WEBHOOK_SECRETS, secretFieldsOf } from '../providers/secret-fields';
import type { PaymentProvider } from '../domain/provider';

/**
 * Returns the secrets that were sent, without empty ones: an empty one is a form field left blank.
 *
 * @throws TollgateError validation_failed for a secret that the provider does not have, or for too many in one member
 */
export function sentSecrets(
  provider: PaymentProvider,
  secrets: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const members = secretFieldsOf(provider);
  refuse(
    Object.keys(secrets)
      .filter((member) => !members.includes(member))
      .map((member) => ({
        pointer: `/secrets/${member}`,
        message: `is not a secret of ${provider}`,
        fix: `Send ${members.join(', ')}.`,
      })),
  );
  const { webhookSecret = '' } = secrets;
  if (provider === 'provider_a' && webhookSecret.split(',').length > MOST_WEBHOOK_SECRETS) {
    refuse([
      {
        pointer: '/secrets/webhookSecret',
        message: `has more than ${MOST_WEBHOOK_SECRETS} secrets`,
        fix: 'Send those that the provider signs with now.',
      },
    ]);
  }
  return Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ''));
}

/** Maximum length of a connection's settings as JSON, in characters. */
export const MAX_SETTINGS_CHARACTERS = 65_536;

/**
 * Merges the sent settings over the stored ones; null removes one.
 *
 * @throws TollgateError validation_failed when the sent settings make them too long
 */
export function mergedSettings(
  stored: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const members = Object.entries({ ...stored, ...sent });
  const merged = Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined));
  if (Object.keys(sent).length > 0 && JSON.stringify(merged).length > MAX_SETTINGS_CHARACTERS) {
    refuse([
      {
        pointer: '/settings',
        message: `with what is stored, has more than ${MAX_SETTINGS_CHARACTERS} characters`,
        fix: 'Send null for the settings that are no longer needed.',
      },
    ]);
  }
  return merged;
}

/**
 * Refuses anything that looks like a secret in a public member. Checks only the members that were sent; secrets stored
 * there earlier are removed by the migration.
 *
 * @throws TollgateError validation_failed that names the member, never its value
 */
export function refusePublicSecrets(
  provider: PaymentProvider,
  sent: { displayName?: string | undefined; settings?: Readonly<Record<string, unknown>> | undefined },
): void {
  const { displayName, settings = {} } = sent;
  const name = findPublicSecrets(provider, { displayName }).map((found) => ({ ...found, root: '' }));
  const among = findPublicSecrets(provider, settings).map((found) => ({ ...found, root: '/settings' }));
  refuse(
    [...name, ...among].map(({ root, path }) => ({
      pointer: `${root}${path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`,
      message: 'is a secret, and this member is shown to everybody',
      fix: 'Send it under /secrets, where it is stored encrypted, or leave it out.',
    })),
  );
}

function refuse(errors: FieldProblem[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw new TollgateError('validation_failed', `${first.pointer}: ${first.message}`, { errors });
}
