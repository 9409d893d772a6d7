import type { KeyRing } from '../credentials/key-ring';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { openSecret, sealedThatSign, type SealedSecrets } from '../webhook-endpoints/sealed-secret';

/**
 * Opens the secrets that sign at an instant, the current one first.
 *
 * @throws TollgateError key_unavailable, credential_corrupt
 */
export type OpenSecrets = (
  scope: WorkspaceScope,
  endpointId: string,
  secrets: SealedSecrets,
  now: Instant,
) => string[];

/**
 * Maximum number of secrets cached. Caching adds no exposure, because a process that has the keys could open them all.
 */
const REMEMBERED = 1_000;

/** Opens each envelope once, because opening one costs more than signing a message. */
export function createOpenSecrets(keyRing: KeyRing): OpenSecrets {
  const opened = new Map<string, string>();
  return (scope, endpointId, secrets, now) =>
    sealedThatSign(secrets, now).map((sealed) => {
      // An envelope opens only for its owner, so the owner is part of the cache key.
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
