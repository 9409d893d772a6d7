import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import type { Database, DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { recordPlatformAudit } from '../platform-audit/platform-audit-store';
import type { CodeProof } from '../second-factor/code-proof';
import { hasSecondFactor } from '../second-factor/second-factor-store';
import { codeSourceOf, renewDevice } from './known-device';
import {
  CHALLENGE_MS,
  deleteChallenges,
  findChallenge,
  insertChallenge,
  takeChallenge,
} from './login-challenge-store';
import { loginFailed } from './login-failed';
import type { Charge } from './login-throttle';
import { holdPassword, lockOperator, type OperatorRow, type ProvedPassword } from './operator-store';
import type { PasswordProof } from './password-proof';
import type { Sessions } from './session-service';
import { hashToken, isToken, newSessionToken } from './session-token';

/** The browser that is logging in. */
interface LoginOrigin {
  ip: string;
  userAgent: string | null;
  /** Token of the browser's previous session, which ends. */
  replaces: string | undefined;
  /** Token of the device, if the browser has one. */
  device: string | undefined;
  requestId: string;
  /** The request's throttle charge, made before it was read. */
  charge: Charge | undefined;
}

export interface LoggedIn {
  kind: 'logged_in';
  operator: OperatorRow;
  /** Token of the new session, for its cookie. */
  token: string;
  /** Token of the device, for a second cookie. */
  device: string;
}

/** The password was right, but the account has a second factor: the log-in waits for a code. */
export interface CodeAwaited {
  kind: 'code_awaited';
  /** Identifies the log-in; grants nothing on its own. */
  token: string;
  expiresAt: Instant;
}

/** Runs the transaction that completes a log-in, together with any other work the second factor was requested for. */
type Within = (open: (trx: DbTransaction) => Promise<LoggedIn>) => Promise<LoggedIn>;

export interface Login {
  /** @throws TollgateError login_failed, login_throttled */
  begin(input: LoginOrigin & { email: string; password: string }): Promise<LoggedIn | CodeAwaited>;
  /** Continues a log-in whose password was proved already. */
  proceed(operator: OperatorRow, origin: LoginOrigin): Promise<LoggedIn | CodeAwaited>;
  /** @throws TollgateError login_challenge_invalid, second_factor_failed, login_throttled, key_unavailable */
  finish(input: LoginOrigin & { token: string; code: string; within?: Within }): Promise<LoggedIn>;
}

/** Logs an operator in: checks the password, then the second factor if there is one, and opens a session. */
export function createLogin(dependencies: {
  database: Database;
  proof: PasswordProof;
  codeProof: CodeProof;
  sessions: Sessions;
  clock: Clock;
  log: Logger;
}): Login {
  const { database, proof, codeProof, sessions, clock, log } = dependencies;

  async function open(
    trx: DbTransaction,
    operator: OperatorRow,
    { ip, userAgent, replaces, device: old }: LoginOrigin,
    factor: { secondFactorAt: Instant | null; by: string | null },
  ): Promise<LoggedIn> {
    const { secondFactorAt, by } = factor;
    const token = await sessions.open(trx, operator, { ip, userAgent, replaces, secondFactorAt });
    const device = await renewDevice(trx, operator.id, old, clock.now());
    const who = { operatorId: operator.id, ip, receivedAt: clock.now() };
    const detail = by === null ? {} : { secondFactor: by };
    await recordPlatformAudit(trx, who, { action: 'operator.logged_in', detail });
    return { kind: 'logged_in', operator, token, device };
  }

  const hold = async (trx: DbTransaction, proved: ProvedPassword): Promise<void> => {
    if (!(await holdPassword(trx, proved))) throw loginFailed();
  };

  async function proceed(operator: OperatorRow, origin: LoginOrigin): Promise<LoggedIn | CodeAwaited> {
    const now = clock.now();
    const result = await database.transaction(async (trx) => {
      // A concurrent password change either happens before this, or ends what is started here.
      await hold(trx, operator);
      if (!(await hasSecondFactor(trx, operator.id))) {
        return open(trx, operator, origin, { secondFactorAt: null, by: null });
      }
      const token = newSessionToken();
      const source = await codeSourceOf(trx, operator.id, origin.device, now);
      const fromKnownDevice = source.kind === 'device';
      await insertChallenge(
        trx,
        { operatorId: operator.id, tokenHash: hashToken(token), fromKnownDevice },
        now,
      );
      return { kind: 'code_awaited' as const, token, expiresAt: now + CHALLENGE_MS };
    });
    const { ip, requestId } = origin;
    const message = result.kind === 'logged_in' ? 'an operator logged in' : 'a log-in waits for its code';
    log.info({ operatorId: operator.id, ip, requestId }, message);
    return result;
  }

  return {
    begin: async (input) => proceed(await proof.prove(input), input),
    proceed,

    async finish(input) {
      const { token, code, ip, requestId } = input;
      const now = clock.now();
      const hash = isToken(token) ? hashToken(token) : undefined;
      const operatorId = hash === undefined ? undefined : await findChallenge(database, hash, now);
      if (hash === undefined || operatorId === undefined) throw challengeInvalid();
      const source = await codeSourceOf(database, operatorId, input.device, now);
      const by = await codeProof.prove({ operatorId, code, source, ip, requestId });
      await input.charge?.refund();
      const within: Within = input.within ?? ((work) => database.transaction(work));
      const loggedIn = await within(async (trx) => {
        // Before the challenge: a password change locks this row first, and ends the challenges after it.
        const operator = await lockOperator(trx, operatorId);
        if (operator === undefined || !(await takeChallenge(trx, hash))) throw challengeInvalid();
        await deleteChallenges(trx, operatorId);
        return open(trx, operator, input, { secondFactorAt: now, by });
      });
      log.info({ operatorId, ip, requestId, by }, 'an operator logged in');
      return loggedIn;
    },
  };
}

/** Ends the calling session. */
export function createLogout({ database, sessions }: { database: Database; sessions: Sessions }) {
  return async (who: {
    operatorId: string;
    sessionId: string;
    ip: string;
    receivedAt: Instant;
  }): Promise<void> => {
    await sessions.revoke(who.operatorId, who.sessionId);
    await recordPlatformAudit(database, who, { action: 'operator.logged_out' });
  };
}

function challengeInvalid(): TollgateError {
  return new TollgateError(
    'login_challenge_invalid',
    'This log-in is unknown, finished or has waited too long.',
  );
}
