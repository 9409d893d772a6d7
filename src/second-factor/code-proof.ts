import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import type { KeyRing } from '../credentials/key-ring';
import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { countPlatformAudit } from '../platform-audit/platform-audit-store';
import { createCodeThrottle, type CodeSource, type TriedCodes } from './code-throttle';
import { takeRecoveryCode } from './recovery-code-store';
import { hashRecoveryCode, readRecoveryCode } from './recovery-codes';
import { openTotpSecret } from './sealed-totp-secret';
import { findSecondFactor, takeStep, type SecondFactorRow } from './second-factor-store';
import { stepOfCode } from './totp';

/** How an operator proved their second factor. */
type ProvedBy = 'totp' | 'recovery_code';

export interface CodeProof {
  /**
   * Verifies the second factor by a code of the authenticator app or a recovery code. The code is used up even if the
   * action it was entered for fails: no code is accepted twice.
   *
   * @throws TollgateError second_factor_not_enrolled, second_factor_failed, login_throttled, key_unavailable,
   *   credential_corrupt
   */
  prove(input: {
    operatorId: string;
    code: string;
    source: CodeSource;
    ip: string;
    requestId: string;
  }): Promise<ProvedBy>;
  /**
   * Returns the time step of a code for an enrolment that is not confirmed yet. The code is not used up.
   *
   * @throws TollgateError second_factor_failed, login_throttled, key_unavailable, credential_corrupt
   */
  proveEnrolment(row: SecondFactorRow, code: string, sessionId: string): Promise<number>;
}

export function createCodeProof(dependencies: {
  database: Database;
  keyRing: KeyRing;
  clock: Clock;
  log: Logger;
}): CodeProof {
  const { database, keyRing, clock, log } = dependencies;
  const throttle = createCodeThrottle(database);

  /** @returns how the factor was proved, or the refusal as a sentence */
  async function take(row: SecondFactorRow, typed: string): Promise<ProvedBy | { refusal: string }> {
    const { operator_id: operatorId } = row;
    const recoveryCode = readRecoveryCode(typed);
    if (recoveryCode !== undefined) {
      const hash = hashRecoveryCode(operatorId, recoveryCode);
      const isTaken = await takeRecoveryCode(database, operatorId, hash, clock.now());
      return isTaken ? 'recovery_code' : { refusal: 'The recovery code is wrong, or was used before.' };
    }
    const code = readCode(typed);
    const step = code === undefined ? null : stepOfCode(openTotpSecret(keyRing, row), code, clock.now());
    if (step === null) return { refusal: 'The code is wrong, or too old.' };
    if (await takeStep(database, row, step)) return 'totp';
    return { refusal: 'This code was used before. Wait until the app shows the next one.' };
  }

  /** Counts an attempt, and then compares its code. */
  async function counted<Result>(
    tried: TriedCodes,
    source: CodeSource,
    compare: () => Result | Promise<Result>,
  ): Promise<Result> {
    await throttle.attempt(tried, source);
    try {
      return await compare();
    } catch (error) {
      // It could not be compared, so it was no guess.
      await throttle.takeBack(tried, source);
      throw error;
    }
  }

  return {
    async prove({ operatorId, code, source, ip, requestId }) {
      const row = await findSecondFactor(database, operatorId);
      if (row === undefined || row.confirmed_at === null) throw notEnrolled();
      const tried = { operatorId, enrolledAt: row.created_at };
      const proved = await counted(tried, source, () => take(row, code));
      if (typeof proved !== 'string') {
        log.info({ operatorId, ip, requestId }, 'a second factor failed');
        const who = { operatorId, ip, receivedAt: clock.now() };
        await countPlatformAudit(database, who, { action: 'operator.second_factor_failed' });
        throw new TollgateError('second_factor_failed', proved.refusal);
      }
      await throttle.takeBack(tried, source);
      return proved;
    },

    async proveEnrolment(row, typed, sessionId) {
      const source = { kind: 'session', id: sessionId } as const;
      const tried = { operatorId: row.operator_id, enrolledAt: null };
      const code = readCode(typed);
      const step = await counted(tried, source, () =>
        code === undefined ? null : stepOfCode(openTotpSecret(keyRing, row), code, clock.now()),
      );
      if (step === null) throw new TollgateError('second_factor_failed', 'The code is wrong, or too old.');
      await throttle.takeBack(tried, source);
      return step;
    },
  };
}

/** Reads six digits, however they are grouped. */
function readCode(typed: string): string | undefined {
  const code = typed.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(code) ? code : undefined;
}

/** Returns the error of an action that needs a second factor on an account that has none. */
export function notEnrolled(): TollgateError {
  return new TollgateError('second_factor_not_enrolled', 'Your account has no second factor.');
}
