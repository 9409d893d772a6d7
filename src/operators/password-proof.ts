import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import type { Database } from '../db/pools';
import { countPlatformAudit } from '../platform-audit/platform-audit-store';
import { isDevice, isDeviceOf } from './device-store';
import { loginFailed, passwordWrong } from './login-failed';
import type { Attempt, Charge, LoginThrottle } from './login-throttle';
import { findOperatorByEmail, type OperatorRow } from './operator-store';
import { verifyPassword } from './password';
import { hashToken, isToken } from './session-token';

export interface PasswordProof {
  /**
   * Charges a request's address before it is read (`LoginThrottle`).
   *
   * @param device token of the device, if the browser has one
   * @throws TollgateError login_throttled
   */
  admit(ip: string, device: string | undefined): Promise<Charge>;
  /** @throws TollgateError login_throttled */
  admitInvited(ip: string): Promise<Charge>;
  /**
   * Authenticates an account by its password, within the limits of the throttle.
   *
   * @param input.device a device's token: a device that has logged in to the account before is not locked out by
   *   others' guesses
   * @param input.charge the request's throttle charge; if omitted, its address is charged now, unless a session makes
   *   the call
   * @param input.sessionId the account's session that makes the call; not locked out by others' guesses either
   * @throws TollgateError login_failed, the same for an unknown account as for a wrong password; for a session
   *   password_wrong; login_throttled
   */
  prove(input: {
    email: string;
    password: string;
    ip: string;
    requestId: string;
    device?: string | undefined;
    sessionId?: string;
    charge?: Charge | undefined;
  }): Promise<OperatorRow>;
}

export function createPasswordProof(dependencies: {
  database: Database;
  throttle: LoginThrottle;
  clock: Clock;
  log: Logger;
}): PasswordProof {
  const { database, throttle, clock, log } = dependencies;
  /** Queries the database only if the browser has a token. */
  const knownDevice = async (email: string, token: string | undefined): Promise<Attempt['known']> => {
    if (token === undefined || !isToken(token)) return undefined;
    const operator = await findOperatorByEmail(database, email);
    if (operator === undefined) return undefined;
    const hash = hashToken(token);
    const isKnown = await isDeviceOf(database, operator.id, hash, clock.now());
    return isKnown ? { kind: 'device', id: hash.toString('base64url') } : undefined;
  };
  const admit: PasswordProof['admit'] = (ip, device) =>
    throttle.admit(ip, async () => {
      if (device === undefined || !isToken(device)) return undefined;
      const hash = hashToken(device);
      return (await isDevice(database, hash, clock.now())) ? hash.toString('base64url') : undefined;
    });
  return {
    admit,
    admitInvited: (ip) => throttle.admitInvited(ip),
    async prove({ email, password, ip, requestId, device, sessionId, charge }) {
      const known =
        sessionId === undefined
          ? await knownDevice(email, device)
          : ({ kind: 'session', id: sessionId } as const);
      const attempt = { email, ip, known };
      // A device known for another account counts as unknown here, so its address is charged.
      const paid = known !== undefined || charge?.of === 'address' ? charge : await admit(ip, undefined);
      if (known !== undefined) await paid?.refund();
      await throttle.attempt(attempt);
      const operator = await findOperatorByEmail(database, email);
      const claim = { email, isKnown: known !== undefined };
      const matches = await verifyPassword(claim, operator?.password_hash ?? null, password).catch(
        async (error: unknown) => {
          // It was not compared, so it was no guess.
          await throttle.takeBack(attempt);
          if (known === undefined) await paid?.refund();
          throw error;
        },
      );
      if (operator === undefined || !matches) {
        log.info({ operatorId: operator?.id ?? null, ip, requestId }, 'a log-in failed');
        // An unknown address is not stored, because the text typed may be a password.
        const who = { operatorId: operator?.id ?? null, ip, receivedAt: clock.now() };
        await countPlatformAudit(database, who, { action: 'operator.login_failed' });
        throw sessionId === undefined ? loginFailed() : passwordWrong();
      }
      await throttle.takeBack(attempt);
      if (known === undefined) await paid?.refund();
      return operator;
    },
  };
}
