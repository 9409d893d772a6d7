import type { KeyRing } from '../credentials/key-ring';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { openSecret, sealedThatSign, type SealedSecrets } from '../webhook-endpoints/sealed-secret';

/**
 * The secrets that sign at an instant, the current one first.
 *
 * @throws TollgateError key_unavailable, credential_corrupt
 */
export type OpenSecrets = (
  scope: WorkspaceScope,
  endpointId: string,
  secrets: SealedSecrets,
  now: Instant,
) => string[];

/** How many are remembered; a process that has the keys could open them all. */
const REMEMBERED = 1_000;

/** Opens each envelope once: to open one costs a process more than to sign a message. */
export function createOpenSecrets(keyRing: KeyRing): OpenSecrets {
  const opened = new Map<string, string>();
  return (scope, endpointId, secrets, now) =>
    sealedThatSign(secrets, now).map((sealed) => {
      // An envelope opens for its owner alone, so whose it is belongs to what is remembered.
      const key = [scope.workspaceId, scope.environment, endpointId, sealed.revision, sealed.sealed].join(
        ' ',
      );
      const known = opened.get(key);
      if (known !== undefined) return known;
      const secret = openSecret(keyRing, scope, endpointId, sealed);
      if (opened.size >= REMEMBERED) opened.clear();
      opened.set(key, secret);
      return secret;
    });
}
