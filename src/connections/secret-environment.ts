import type { KeyRing } from '../credentials/key-ring';
import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { environmentInWords, type Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { hasFingerprint, insertFingerprints, lockConnectionSecrets } from './fingerprint-store';

/** Anywhere in a value, because the migration also finds secrets within a text. */
const MODE = /(?<![a-z0-9])(?:sk|rk|pk)(?:_org)?_(test|live)_/gi;

/**
 * Splits a member's value into its secrets. Blanks around them do not count: legacy public settings have them, and the
 * verification of webhooks ignores them.
 */
function partsOf(value: string): string[] {
  return value.split(/[\s,]+/).filter((part) => part !== '');
}

/** Returns whether a secret's own prefix says that it belongs to the other environment. */
function namesOtherEnvironment(environment: Environment, value: string): boolean {
  const other = environment === 'production' ? 'test' : 'live';
  return [...value.matchAll(MODE)].some(([, mode]) => mode?.toLowerCase() === other);
}

/**
 * Returns which of these members are secrets of the other environment: by their prefix, or because a connection in the
 * organization's other environment has held them. Until the transaction ends, no other transaction adds secrets to
 * either.
 */
export async function findForeignSecrets(
  trx: DbTransaction,
  keyRing: KeyRing,
  scope: WorkspaceScope,
  secrets: Readonly<Record<string, string>>,
): Promise<string[]> {
  await lockConnectionSecrets(trx, scope);
  const elsewhere = { ...scope, environment: otherOf(scope.environment) };
  const members: string[] = [];
  for (const [member, value] of Object.entries(secrets)) {
    const isForeign =
      namesOtherEnvironment(scope.environment, value) ||
      (await hasFingerprint(trx, scope, fingerprintsOf(keyRing, elsewhere, [value])));
    if (isForeign) members.push(member);
  }
  return members;
}

/**
 * Refuses secrets of the other environment (`findForeignSecrets`), because sandbox and production share none.
 *
 * @throws TollgateError secret_wrong_environment
 */
export async function refuseForeignSecrets(
  trx: DbTransaction,
  keyRing: KeyRing,
  scope: WorkspaceScope,
  sent: Readonly<Record<string, string>>,
): Promise<void> {
  const [member] = await findForeignSecrets(trx, keyRing, scope, sent);
  if (member !== undefined) throw foreign(scope, member);
}

/** Secrets that a connection holds from now on. */
interface HeldSecrets {
  connectionId: string;
  secrets: Readonly<Record<string, string>>;
  now: Instant;
}

/** Records which environment's connection holds these secrets. */
export async function rememberSecrets(
  trx: DbTransaction,
  keyRing: KeyRing,
  scope: WorkspaceScope,
  { connectionId, secrets, now }: HeldSecrets,
): Promise<void> {
  const fingerprints = fingerprintsOf(keyRing, scope, Object.values(secrets));
  await insertFingerprints(trx, scope, connectionId, fingerprints, now);
}

function fingerprintsOf(
  keyRing: KeyRing,
  { workspaceId, environment }: WorkspaceScope,
  values: readonly string[],
): Buffer[] {
  return values.flatMap(partsOf).flatMap((part) => keyRing.fingerprints(workspaceId, environment, part));
}

function otherOf(environment: Environment): Environment {
  return environment === 'production' ? 'sandbox' : 'production';
}

function foreign({ environment }: WorkspaceScope, member: string): TollgateError {
  const message = `is a secret of ${environmentInWords(otherOf(environment))}`;
  return new TollgateError('secret_wrong_environment', `/secrets/${member}: ${message}.`, {
    errors: [
      {
        pointer: `/secrets/${member}`,
        message,
        fix: `Send the provider’s secret for ${environmentInWords(environment)}.`,
      },
    ],
  });
}
