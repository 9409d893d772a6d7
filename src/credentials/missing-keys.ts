import type { KeyRing } from './key-ring';
import type { countEnvelopesByKey } from './key-ring-store';

/** A start-up error that names the missing key. */
class MissingKeyError extends Error {
  override name = 'MissingKeyError';
}

/**
 * Refuses to start without a key under which credentials are sealed, or without the active key.
 *
 * @param active the active key; undefined if none was chosen yet
 * @throws MissingKeyError
 */
export function refuseMissingKeys(
  envelopes: Awaited<ReturnType<typeof countEnvelopesByKey>>,
  keyRing: KeyRing,
  active: string | undefined,
): void {
  const missing = envelopes.filter(({ keyId }) => keyRing.find(keyId) === undefined);
  const reasons = missing.map(
    ({ keyId, envelopes }) => `"${keyId}", under which ${envelopes} stored credentials are sealed`,
  );
  const writes = active !== undefined && keyRing.ids.length > 0 && keyRing.find(active) === undefined;
  if (writes && !missing.some(({ keyId }) => keyId === active)) {
    reasons.push(`"${active}", which is the key that writes`);
  }
  if (reasons.length === 0) return;
  throw new MissingKeyError(
    `A credential key is missing that is still needed: ${reasons.join('; ')}. Add it to TOLLGATE_CREDENTIAL_KEYS. A key may go only when another one writes and GET /api/admin/provider-credentials/migrate says pending: 0. If the key is lost, see docs/secrets.md ("A lost credential key").`,
  );
}
