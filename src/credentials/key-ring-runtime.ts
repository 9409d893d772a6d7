import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { newIdentifier } from '../identifiers/identifier';
import { confirmKeys } from './key-checks';
import { conflictingKeys } from './key-conflicts';
import type { KeyRing } from './key-ring';
import { refuseMissingKeys } from './missing-keys';
import {
  countEnvelopesByKey,
  deleteRuntime,
  deleteEndedRuntimes,
  listRuntimes,
  lockKeyRing,
  readActiveKeyId,
  saveRuntime,
  setActiveKeyId,
} from './key-ring-store';

const HEARTBEAT_MS = 30_000;

/** A start-up error that names the key for which other processes hold different bytes. */
class KeyConflictError extends Error {
  override name = 'KeyConflictError';
}

/**
 * Publishes which keys this process holds, for as long as it runs. The first process of an installation chooses the
 * active key.
 *
 * @throws MissingKeyError when it lacks a key that is still needed
 * @throws KeyConflictError when a running process has a different key under the same id
 * @throws WrongKeyError when the secrets stored under a key's id were sealed with a different key
 */
export async function joinKeyRing(options: {
  database: Database;
  keyRing: KeyRing;
  process: 'api' | 'worker' | 'deliver';
  clock: Clock;
  log: Logger;
  /** Heartbeat interval; tests raise it. */
  heartbeatMs?: number;
}): Promise<{ leave(): Promise<void> }> {
  const { database, keyRing, clock, log, heartbeatMs = HEARTBEAT_MS } = options;
  const id = newIdentifier('runtime');
  const startedAt = clock.now();
  const keyIds = [...keyRing.published];
  const seen = (on: Database): Promise<void> =>
    saveRuntime(on, { id, process: options.process, keyIds, startedAt });

  // Done under the lock, so that no switch misses a process that is just starting.
  await database.transaction(async (trx) => {
    await lockKeyRing(trx);
    const active = await readActiveKeyId(trx);
    const envelopes = await countEnvelopesByKey(trx);
    refuseMissingKeys(envelopes, keyRing, active);
    refuseConflictingKeys(conflictingKeys(keyRing, await listRuntimes(trx)));
    if (active === undefined && keyRing.firstActive !== undefined) {
      await setActiveKeyId(trx, keyRing.firstActive, startedAt);
    }
    const sealing = envelopes.map(({ keyId }) => keyId);
    await confirmKeys(trx, keyRing, { active: active ?? keyRing.firstActive, sealing }, startedAt);
    await deleteEndedRuntimes(trx);
    await seen(trx);
  });
  let saying = Promise.resolve();
  const heartbeat = setInterval(() => {
    saying = seen(database).catch((error: unknown) => {
      log.warn({ err: error }, 'could not publish the credential keys of this process; trying again');
    });
  }, heartbeatMs);
  heartbeat.unref();
  return {
    leave: async () => {
      clearInterval(heartbeat);
      // A heartbeat still in progress would insert the row again.
      await saying;
      await deleteRuntime(database, id).catch((error: unknown) => {
        log.debug({ err: error }, 'this process counts as running for another minute and a half');
      });
    },
  };
}

function refuseConflictingKeys(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const names = ids.map((id) => `"${id}"`).join(', ');
  throw new KeyConflictError(
    `Running processes have a different key than this one under the credential key id ${names}. Each could not read what the others encrypt. Give each process the same keys in TOLLGATE_CREDENTIAL_KEYS; add a new key under a new id.`,
  );
}
