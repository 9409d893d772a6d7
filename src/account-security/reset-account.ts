import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { forgetDevices } from '../operators/device-store';
import { deleteChallenges } from '../operators/login-challenge-store';
import { setPassword } from '../operators/operator-store';
import { revokeAllSessions } from '../operators/session-store';
import { deleteRecoveryCodes } from '../second-factor/recovery-code-store';
import { deleteSecondFactor } from '../second-factor/second-factor-store';

/** What a reset removed. */
export interface ResetEffect {
  secondFactorRemoved: boolean;
  sessionsEnded: number;
}

/**
 * Removes an account's second factor and recovery codes, and ends its sessions, pending log-ins and known devices. The
 * caller must hold the operator's row lock, and records the reset.
 *
 * @param passwordHash of the new password; null keeps the current one
 */
export async function resetAccount(
  trx: DbTransaction,
  operatorId: string,
  passwordHash: string | null,
  now: Instant,
): Promise<ResetEffect> {
  if (passwordHash !== null) await setPassword(trx, operatorId, passwordHash, now);
  const secondFactorRemoved = await deleteSecondFactor(trx, operatorId);
  await deleteRecoveryCodes(trx, operatorId);
  await deleteChallenges(trx, operatorId);
  await forgetDevices(trx, operatorId);
  return { secondFactorRemoved, sessionsEnded: await revokeAllSessions(trx, operatorId, now) };
}
