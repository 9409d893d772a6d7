import type { Logger } from 'pino';
import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';
import { recordEverywhere } from './record-everywhere';
import { forgetDevices, rememberDevice } from '../operators/device-store';
import type { PasswordProof } from '../operators/password-proof';
import { deleteChallenges } from '../operators/login-challenge-store';
import { passwordWrong } from '../operators/login-failed';
import { replacePassword } from '../operators/operator-store';
import { hashPassword } from '../operators/password';
import { assertPasswordAllowed } from '../operators/password-policy';
import { refuseEndedSession, revokeAllSessions } from '../operators/session-store';
import { hashToken, newSessionToken } from '../operators/session-token';
import type { Sessions } from '../operators/session-service';

export type ChangePassword = ReturnType<typeof createChangePassword>;

/**
 * Changes the operator's own password. Every session ends. The calling one is replaced under a new id, because anyone
 * who knew the old password may also have the old cookie. Known devices are forgotten too.
 */
export function createChangePassword(dependencies: {
  database: Database;
  proof: PasswordProof;
  sessions: Sessions;
  log: Logger;
}) {
  const { database, proof, sessions, log } = dependencies;
  return async (input: {
    operatorId: string;
    email: string;
    /** The session of the request. Failed guesses from elsewhere do not throttle it. */
    sessionId: string;
    /** When the second factor was confirmed in that session; carried over to the new one. */
    secondFactorAt: Instant | null;
    currentPassword: string;
    newPassword: string;
    now: Instant;
    ip: string;
    userAgent: string | null;
    requestId: string;
  }): Promise<{ token: string; device: string }> => {
    const { operatorId, email, sessionId, ip, userAgent, requestId } = input;
    assertPasswordAllowed(input.newPassword, email, '/newPassword');
    const proved = await proof.prove({ email, password: input.currentPassword, ip, requestId, sessionId });
    const passwordHash = await hashPassword(email, input.newPassword);
    const device = newSessionToken();
    const origin = { ip, userAgent, secondFactorAt: input.secondFactorAt };
    const { ended, token } = await database.transaction(async (trx) => {
      if (!(await replacePassword(trx, proved, passwordHash, input.now))) throw passwordWrong();
      await refuseEndedSession(trx, operatorId, sessionId);
      const action = 'operator.password_changed';
      await recordEverywhere(trx, { operatorId, action, ip, now: input.now });
      await deleteChallenges(trx, operatorId);
      await forgetDevices(trx, operatorId);
      const revoked = await revokeAllSessions(trx, operatorId, input.now);
      // In the same transaction, because a later change must end these, too.
      await rememberDevice(trx, operatorId, hashToken(device), input.now);
      const changed = { id: operatorId, password_hash: passwordHash };
      return { ended: revoked, token: await sessions.open(trx, changed, origin) };
    });
    log.info({ operatorId, ip, requestId, ended }, 'an operator changed their password');
    return { token, device };
  };
}
