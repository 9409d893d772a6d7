import type { Logger } from 'pino';
import type { KeyRing } from '../credentials/key-ring';
import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';
import { passwordWrong } from '../operators/login-failed';
import { holdPassword, lockOperator } from '../operators/operator-store';
import type { PasswordProof } from '../operators/password-proof';
import { forgetConfirmations, markConfirmed, refuseEndedSession } from '../operators/session-store';
import { recordEverywhere } from '../organizations/record-everywhere';
import { notEnrolled, type CodeProof } from '../second-factor/code-proof';
import { countRecoveryCodes, deleteRecoveryCodes } from '../second-factor/recovery-code-store';
import { deleteSecondFactor, findSecondFactor } from '../second-factor/second-factor-store';
import type { AccountHolder } from './account-holder';
import { createEnrolment, type Enrolment } from './enrol-second-factor';
import { renewRecoveryCodes } from './renew-recovery-codes';

/** An operator's own second factor. */
export interface SecondFactors {
  enrolment: Enrolment;
  read(holder: AccountHolder): Promise<{ enrolledAt: Instant | null; recoveryCodesLeft: number }>;
  /**
   * Confirms the factor in this session only. A recovery code works too, and is used up.
   *
   * @throws TollgateError second_factor_not_enrolled, second_factor_failed, login_throttled, key_unavailable
   */
  confirm(holder: AccountHolder, code: string): Promise<{ confirmedAt: Instant }>;
  /**
   * Creates new recovery codes. The earlier ones end.
   *
   * @throws TollgateError as `confirm`
   */
  renewRecoveryCodes(holder: AccountHolder, code: string): Promise<{ recoveryCodes: string[] }>;
  /**
   * Removes the factor, given the password and a code.
   *
   * @throws TollgateError as `confirm`, and password_wrong
   */
  disable(holder: AccountHolder, proof: { password: string; code: string }): Promise<void>;
}

export function createSecondFactors(dependencies: {
  database: Database;
  keyRing: KeyRing;
  proof: PasswordProof;
  codeProof: CodeProof;
  log: Logger;
}): SecondFactors {
  const { database, proof, codeProof, log } = dependencies;
  const proveCode = (
    { operatorId, sessionId, ip, requestId }: AccountHolder,
    code: string,
  ): ReturnType<CodeProof['prove']> =>
    codeProof.prove({ operatorId, code, source: { kind: 'session', id: sessionId }, ip, requestId });

  return {
    enrolment: createEnrolment(dependencies),

    async read({ operatorId }) {
      const row = await findSecondFactor(database, operatorId);
      const recoveryCodesLeft = await countRecoveryCodes(database, operatorId);
      return { enrolledAt: row?.confirmed_at ?? null, recoveryCodesLeft };
    },

    async confirm(holder, code) {
      const { operatorId, sessionId, ip, receivedAt: now } = holder;
      const by = await proveCode(holder, code);
      await database.transaction(async (trx) => {
        await markConfirmed(trx, operatorId, sessionId, now);
        const detail = { by, sessionId };
        await recordEverywhere(trx, {
          operatorId,
          ip,
          now,
          detail,
          action: 'operator.second_factor_confirmed',
        });
      });
      return { confirmedAt: now };
    },

    async renewRecoveryCodes(holder, code) {
      const { operatorId, sessionId, ip, receivedAt: now } = holder;
      await proveCode(holder, code);
      return database.transaction(async (trx) => {
        await lockOperator(trx, operatorId);
        await refuseEndedSession(trx, operatorId, sessionId);
        if ((await findSecondFactor(trx, operatorId)) === undefined) throw notEnrolled();
        const recoveryCodes = await renewRecoveryCodes(trx, operatorId, now);
        const action = 'operator.recovery_codes_renewed';
        await recordEverywhere(trx, { operatorId, action, ip, now });
        return { recoveryCodes };
      });
    },

    async disable(holder, { password, code }) {
      const { operatorId, email, sessionId, ip, requestId, receivedAt: now, secondFactor } = holder;
      if (!secondFactor.enrolled) throw notEnrolled();
      // The password first, because a correct code is used up.
      const proved = await proof.prove({ email, password, ip, requestId, sessionId });
      await proveCode(holder, code);
      await database.transaction(async (trx) => {
        await lockOperator(trx, operatorId);
        if (!(await holdPassword(trx, proved))) throw passwordWrong();
        await refuseEndedSession(trx, operatorId, sessionId);
        if (!(await deleteSecondFactor(trx, operatorId))) throw notEnrolled();
        await deleteRecoveryCodes(trx, operatorId);
        await forgetConfirmations(trx, operatorId);
        const action = 'operator.second_factor_disabled';
        await recordEverywhere(trx, { operatorId, action, ip, now });
      });
      log.info({ operatorId, ip, requestId }, 'an operator turned their second factor off');
    },
  };
}
