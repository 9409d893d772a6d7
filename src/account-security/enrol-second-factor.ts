import { requireActiveKey } from '../credentials/active-key';
import type { KeyRing } from '../credentials/key-ring';
import type { Database, DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { forgetDevices } from '../operators/device-store';
import { renewDevice } from '../operators/known-device';
import { passwordWrong } from '../operators/login-failed';
import { holdPassword, lockOperator } from '../operators/operator-store';
import type { PasswordProof } from '../operators/password-proof';
import { markConfirmed, refuseEndedSession, revokeAllSessions } from '../operators/session-store';
import { recordEverywhere } from '../organizations/record-everywhere';
import type { CodeProof } from '../second-factor/code-proof';
import { sealTotpSecret } from '../second-factor/sealed-totp-secret';
import {
  beginEnrolment,
  confirmEnrolment,
  findSecondFactor,
  lockSecondFactor,
  type SecondFactorRow,
} from '../second-factor/second-factor-store';
import { newTotpSecret, otpauthUri } from '../second-factor/totp';
import type { AccountHolder } from './account-holder';
import { renewRecoveryCodes } from './renew-recovery-codes';
import { MINUTE_MS } from '../domain/instant';

/** How long an enrolment waits for its confirming code. */
const ENROLMENT_MS = 30 * MINUTE_MS;

export interface Enrolment {
  /**
   * Starts an enrolment. The password is required, so that a session alone is not enough to add a factor to the
   * account. Only the session that started the enrolment can confirm it.
   *
   * @throws TollgateError second_factor_exists, password_wrong, login_throttled, key_unavailable
   */
  begin(holder: AccountHolder, password: string): Promise<{ secret: string; uri: string }>;
  /**
   * Confirms the enrolment by a code. The factor is active from then on, and the operator's other sessions and known
   * devices are ended: a device that became known by the password alone would have code attempts of its own.
   *
   * @returns the recovery codes, which are not shown again, and the token of this device, for the cookie
   * @throws TollgateError second_factor_exists, second_factor_not_enrolled if none was started in this session,
   *   second_factor_failed, login_throttled, key_unavailable, credential_corrupt
   */
  confirm(holder: AccountHolder, code: string): Promise<{ recoveryCodes: string[]; device: string }>;
}

export function createEnrolment(dependencies: {
  database: Database;
  keyRing: KeyRing;
  proof: PasswordProof;
  codeProof: CodeProof;
}): Enrolment {
  const { database, keyRing, proof, codeProof } = dependencies;
  return {
    async begin({ operatorId, email, sessionId, ip, requestId, receivedAt: now, secondFactor }, password) {
      if (secondFactor.enrolled) throw exists();
      const proved = await proof.prove({ email, password, ip, requestId, sessionId });
      const secret = newTotpSecret();
      await database.transaction(async (trx) => {
        await lockOperator(trx, operatorId);
        if (!(await holdPassword(trx, proved))) throw passwordWrong();
        const key = await requireActiveKey(trx, keyRing);
        const revision = (await lockSecondFactor(trx, operatorId))?.revision ?? 0;
        const sealed = sealTotpSecret(key, { operatorId, revision }, secret);
        if (!(await beginEnrolment(trx, operatorId, { ...sealed, sessionId, now }))) throw exists();
      });
      return { secret, uri: otpauthUri(secret, email) };
    },

    async confirm(holder, code) {
      const { operatorId, sessionId, ip, receivedAt: now } = holder;
      const begun = pending(await findSecondFactor(database, operatorId), holder);
      const step = await codeProof.proveEnrolment(begun, code, sessionId);
      return database.transaction(async (trx: DbTransaction) => {
        // A concurrent log-in without a code either opens its session before this, and it ends here, or fails.
        await lockOperator(trx, operatorId);
        await refuseEndedSession(trx, operatorId, sessionId);
        const row = pending(await lockSecondFactor(trx, operatorId), holder);
        if (row.created_at !== begun.created_at) throw notBegun();
        await confirmEnrolment(trx, operatorId, step, now);
        const recoveryCodes = await renewRecoveryCodes(trx, operatorId, now);
        const sessionsEnded = await revokeAllSessions(trx, operatorId, now, sessionId);
        await markConfirmed(trx, operatorId, sessionId, now);
        await forgetDevices(trx, operatorId);
        const device = await renewDevice(trx, operatorId, undefined, now);
        const action = 'operator.second_factor_enrolled';
        await recordEverywhere(trx, { operatorId, action, detail: { sessionsEnded }, ip, now });
        return { recoveryCodes, device };
      });
    },
  };
}

/** @throws TollgateError if this session cannot confirm the enrolment */
function pending(
  row: SecondFactorRow | undefined,
  { sessionId, receivedAt }: AccountHolder,
): SecondFactorRow {
  if (row !== undefined && row.confirmed_at !== null) throw exists();
  const isOwn = row?.enrolling_session === sessionId;
  if (row === undefined || !isOwn || row.created_at <= receivedAt - ENROLMENT_MS) throw notBegun();
  return row;
}

function exists(): TollgateError {
  return new TollgateError('second_factor_exists', 'Your account already has a second factor.');
}

function notBegun(): TollgateError {
  return new TollgateError(
    'second_factor_not_enrolled',
    'No second factor was begun in this session within the last 30 minutes.',
  );
}
