import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { recordPlatformAudit, type PlatformOperator } from '../platform-audit/platform-audit-store';
import { listRecordedKeys, recordKey } from './key-check-store';
import { conflictingKeys } from './key-conflicts';
import type { KeyRing } from './key-ring';
import { listRuntimes, lockKeyRing, readActiveKeyId, setActiveKeyId } from './key-ring-store';

/**
 * Makes another key the active one, once every running process can read with it. Switching to the key that is already
 * active changes nothing.
 *
 * @throws TollgateError key_switch_refused, with the processes that lack the key
 */
export async function switchActiveKey(
  database: Database,
  keyRing: KeyRing,
  operator: PlatformOperator,
  keyId: string,
): Promise<void> {
  const published = keyRing.published.find((entry) => entry.startsWith(`${keyId}#`));
  if (published === undefined) {
    throw refused(`The process that received the request does not have the key "${keyId}".`, []);
  }
  await database.transaction(async (trx) => {
    await lockKeyRing(trx);
    const from = await readActiveKeyId(trx);
    if (from === keyId) return;
    const live = await listRuntimes(trx);
    const lacking = live.filter(({ keyIds }) => !keyIds.includes(published));
    if (lacking.length > 0) {
      const names = lacking.map(({ process, id }) => `${process} ${id}`).join(', ');
      throw refused(
        `These processes do not have the key "${keyId}", or have another key under that ID: ${names}.`,
        lacking.map(({ process, id }) => ({ id, process })),
      );
    }
    const recorded = { keyIds: await listRecordedKeys(trx) };
    if (conflictingKeys(keyRing, [recorded]).includes(keyId)) {
      throw refused(`The secrets stored under the key "${keyId}" were encrypted with a different key.`, []);
    }
    await recordKey(trx, published, operator.receivedAt);
    await setActiveKeyId(trx, keyId, operator.receivedAt);
    const detail = { from: from ?? null, to: keyId };
    await recordPlatformAudit(trx, operator, { action: 'credential_key.switched', detail });
  });
}

function refused(detail: string, runtimes: { id: string; process: string }[]): TollgateError {
  return new TollgateError('key_switch_refused', detail, { extra: { runtimes } });
}
