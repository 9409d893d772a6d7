import type { KeyRing } from '../credentials/key-ring';
import type { Transaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/scope';
import { findSandboxFingerprint, insertSandboxFingerprints } from './fingerprint-store';
import { partsOf } from './secret-members';

const MODE = /^(?:sk|rk|pk)(?:_org)?_(test|live)_/i;

/** True for a secret that says itself that it is of the other environment. */
export function isOfOtherEnvironment(environment: Environment, value: string): boolean {
  const other = environment === 'production' ? 'test' : 'live';
  return partsOf(value).some((part) => MODE.exec(part)?.[1]?.toLowerCase() === other);
}

/**
 * Sandbox and production share no secret: one that says so by its prefix, or that a sandbox connection of the
 * organization has held, is refused.
 *
 * @throws TollgateError secret_wrong_environment
 */
export async function refuseForeignSecrets(
  trx: Transaction,
  keyRing: KeyRing,
  scope: WorkspaceScope,
  sent: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [member, value] of Object.entries(sent)) {
    if (isOfOtherEnvironment(scope.environment, value)) throw foreign(scope, member);
    if (scope.environment === 'sandbox') continue;
    const known = await findSandboxFingerprint(trx, scope, fingerprintsOf(keyRing, scope, [value]));
    if (known) throw foreign(scope, member);
  }
}

/** Remembers the secrets of a sandbox connection; production has nothing to remember. */
export async function rememberSandboxSecrets(
  trx: Transaction,
  keyRing: KeyRing,
  scope: WorkspaceScope,
  connectionId: string,
  secrets: Readonly<Record<string, string>>,
  now: Instant,
): Promise<void> {
  if (scope.environment !== 'sandbox') return;
  const fingerprints = fingerprintsOf(keyRing, scope, Object.values(secrets));
  await insertSandboxFingerprints(trx, scope, connectionId, fingerprints, now);
}

function fingerprintsOf(keyRing: KeyRing, scope: WorkspaceScope, values: readonly string[]): Buffer[] {
  return values.flatMap(partsOf).flatMap((part) => keyRing.fingerprints(scope.workspaceId, part));
}

function foreign({ environment }: WorkspaceScope, member: string): TollgateError {
  const other = environment === 'production' ? 'sandbox' : 'production';
  return new TollgateError('secret_wrong_environment', `/secrets/${member}: is a secret of the ${other}.`, {
    errors: [
      {
        pointer: `/secrets/${member}`,
        message: `is a secret of the ${other}`,
        fix: `Send the provider’s secret for ${environment}.`,
      },
    ],
  });
}
