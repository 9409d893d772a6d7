import { requireActiveKey } from '../credentials/active-key';
import type { KeyRing } from '../credentials/key-ring';
import type { Database } from '../db/pools';
import { isTollgateError } from '../domain/errors';
import { listSealedOtherwise, lockSecondFactor, replaceSealedSecret } from './second-factor-store';
import { openTotpSecret, sealTotpSecret } from './sealed-totp-secret';

const BATCH = 100;

/**
 * Re-seals the secrets of all second factors under the active key, each in its own transaction. A repeated run picks up
 * the rest. A secret that does not open is left unchanged and still counts as pending.
 *
 * @param keyId the active key
 */
export async function resealSecondFactors(
  { database, keyRing }: { database: Database; keyRing: KeyRing },
  keyId: string,
): Promise<void> {
  let after = '';
  for (;;) {
    const operators = await listSealedOtherwise(database, keyId, after, BATCH);
    for (const operatorId of operators) await reseal(database, keyRing, operatorId);
    const last = operators.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

async function reseal(database: Database, keyRing: KeyRing, operatorId: string): Promise<void> {
  await database.transaction(async (trx) => {
    const key = await requireActiveKey(trx, keyRing);
    const row = await lockSecondFactor(trx, operatorId);
    if (row === undefined || row.key_id === key.id) return;
    let secret: string;
    try {
      secret = openTotpSecret(keyRing, row);
    } catch (error) {
      if (isTollgateError(error) && (error.code === 'credential_corrupt' || error.code === 'key_unavailable'))
        return;
      throw error;
    }
    const sealed = sealTotpSecret(key, { operatorId, revision: row.revision }, secret);
    await replaceSealedSecret(trx, operatorId, sealed);
  });
}
