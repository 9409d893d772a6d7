import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { openEnvelope } from './envelope';
import {
  forgetKeysExcept,
  listEnvelopesUnder,
  listRecordedKeys,
  recordKey,
  type StoredEnvelope,
} from './key-check-store';
import { conflictingKeys } from './key-conflicts';
import type { KeyRing } from './key-ring';
import { idOfPublished } from './published-key';

/** A start-up error that names the key for which this process has different bytes than those used for sealing. */
class WrongKeyError extends Error {
  override name = 'WrongKeyError';
}

/** Maximum number of envelopes tried per key. One that opens proves the key, but some may be damaged. */
const TRIED_ENVELOPES = 20;

/**
 * Compares the ring's keys with the recorded ones that seal or have sealed something, and records those that are
 * missing. A key under which credentials are stored is recorded once one of them has opened. A key under which nothing
 * is sealed any longer is forgotten, so that a retired id, or one whose key was mistyped and never used, is free again.
 *
 * The caller holds the key ring's lock, and has compared the ring with those of the running processes.
 *
 * @param state the active key, and the ids under which credentials are stored
 * @throws WrongKeyError
 */
export async function confirmKeys(
  trx: DbTransaction,
  keyRing: KeyRing,
  state: { active: string | undefined; sealing: readonly string[] },
  now: Instant,
): Promise<void> {
  await forgetKeysExcept(trx, state.sealing);
  const recorded = await listRecordedKeys(trx);
  const wrong = conflictingKeys(keyRing, [{ keyIds: recorded }]);
  const known = new Set(recorded.map(idOfPublished));
  const unknown = keyRing.published.filter((published) => !known.has(idOfPublished(published)));
  for (const published of unknown) {
    const id = idOfPublished(published);
    if (!state.sealing.includes(id)) {
      if (id === state.active) await recordKey(trx, published, now);
      continue;
    }
    const envelopes = await listEnvelopesUnder(trx, id, TRIED_ENVELOPES);
    if (opensSome(keyRing, envelopes)) await recordKey(trx, published, now);
    // A worker cannot read second factors, so a key that seals only these is confirmed by an api process.
    else if (envelopes.length > 0) wrong.push(id);
  }
  if (wrong.length > 0) throw wrongKeys(wrong);
}

function opensSome(keyRing: KeyRing, envelopes: readonly StoredEnvelope[]): boolean {
  for (const { owner, envelope } of envelopes) {
    try {
      openEnvelope(keyRing, owner, envelope);
      return true;
    } catch {
      // Damaged, or moved from another row: this says nothing about the key.
    }
  }
  return false;
}

function wrongKeys(ids: readonly string[]): WrongKeyError {
  const names = ids.map((id) => `"${id}"`).join(', ');
  return new WrongKeyError(
    `Credentials are stored under the credential key ${names}, and this process has a different key under that id: it could not read them, and other processes could not read what it encrypts. Restore the former key of that id (it should be in the backups) in TOLLGATE_CREDENTIAL_KEYS; add a new key under a new id. If the former key is lost, see docs/secrets.md ("A lost credential key").`,
  );
}
