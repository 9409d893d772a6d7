import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { replaceRecoveryCodes } from '../second-factor/recovery-code-store';
import { hashRecoveryCode, newRecoveryCodes } from '../second-factor/recovery-codes';

/** Replaces all earlier recovery codes by new ones; @returns them, to be shown once */
export async function renewRecoveryCodes(
  trx: DbTransaction,
  operatorId: string,
  now: Instant,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(operatorId, code));
  await replaceRecoveryCodes(trx, operatorId, hashes, now);
  return codes;
}
