import type { Clock } from '../clock/system-clock';
import { createLookups } from '../db/batch';
import type { Database, DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { DAY_MS, HOUR_MS, type Instant } from '../domain/instant';
import type { SessionFactor } from '../domain/second-factor';
import { newIdentifier } from '../identifiers/identifier';
import { hasSecondFactor } from '../second-factor/second-factor-store';
import { loginFailed } from './login-failed';
import { holdPassword, type ProvedPassword } from './operator-store';
import {
  findLiveSessions,
  insertSession,
  isSessionLive,
  listLiveSessions,
  revokeSession,
  revokeSessionByHash,
  touchSession,
  type SessionClaim,
  type SessionRow,
} from './session-store';
import { hashToken, isToken, newSessionToken } from './session-token';

/** Idle timeout of a session. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** Absolute timeout of a session. */
export const SESSION_ABSOLUTE_MS = 7 * DAY_MS;
/** Precision of `last_seen_at`: each session is written at most this often. */
const TOUCH_EVERY_MS = 60_000;

/** The operator identified by a session's cookie. */
interface LiveSession {
  sessionId: string;
  operatorId: string;
  email: string;
  name: string;
  isPlatformAdministrator: boolean;
  secondFactor: SessionFactor;
}

/** Where a session is opened from, and what was proved apart from the password. */
interface SessionOrigin {
  userAgent: string | null;
  ip: string | null;
  /** Token of the browser's previous session, which ends. */
  replaces?: string | undefined;
  /** When the second factor was proved; null if it was not. */
  secondFactorAt: Instant | null;
}

export interface Sessions {
  /**
   * @param ip address of the request
   * @throws TollgateError session_required if the token is missing, unknown, revoked or expired
   */
  authenticate(token: string | undefined, ip: string): Promise<LiveSession>;
  /**
   * Opens a session and ends the browser's previous one. The token is for the cookie and is not stored. The proved
   * password must still hold under the lock of the operator's row, so that no session opened with an old password
   * outlives its change. If the operator has a second factor, no session opens without it.
   *
   * @throws TollgateError login_failed if the password was changed after it was proved; second_factor_required
   */
  open(trx: DbTransaction, proved: ProvedPassword, from: SessionOrigin): Promise<string>;
  /** Whether the session is live, for a stream that outlives its request. Does not count as use. */
  isLive(operatorId: string, sessionId: string): Promise<boolean>;
  list(operatorId: string): Promise<SessionRow[]>;
  revoke(operatorId: string, sessionId: string): Promise<boolean>;
}

export function createSessions({ database, clock }: { database: Database; clock: Clock }): Sessions {
  const limits = (now: Instant): { now: Instant; idleSince: Instant } => ({
    now,
    idleSince: now - SESSION_IDLE_MS,
  });
  const lookUp = createLookups((claims: readonly SessionClaim[]) => findLiveSessions(database, claims));
  return {
    async authenticate(token, ip) {
      const now = clock.now();
      const hash = token !== undefined && isToken(token) ? hashToken(token) : null;
      const row = hash === null ? undefined : await lookUp({ hash, ...limits(now) });
      if (hash === null || row === undefined) {
        throw new TollgateError('session_required', 'There is no session, or it has ended.');
      }
      if (row.last_seen_at <= now - TOUCH_EVERY_MS)
        await touchSession(database, hash, { now, notBefore: now - TOUCH_EVERY_MS, ip });
      return {
        sessionId: row.id,
        operatorId: row.operator_id,
        email: row.email,
        name: row.name,
        isPlatformAdministrator: row.is_platform_administrator,
        secondFactor: { enrolled: row.has_second_factor, confirmedAt: row.second_factor_at },
      };
    },

    async open(trx, proved, from) {
      if (!(await holdPassword(trx, proved))) throw loginFailed();
      // Under the same lock: a concurrent enrolment is either confirmed before this, or ends the session opened here.
      if (from.secondFactorAt === null && (await hasSecondFactor(trx, proved.id))) {
        throw new TollgateError('second_factor_required', 'The account has a second factor.');
      }
      const now = clock.now();
      const token = newSessionToken();
      const { replaces } = from;
      if (replaces !== undefined && isToken(replaces))
        await revokeSessionByHash(trx, hashToken(replaces), now);
      await insertSession(trx, {
        id_hash: hashToken(token),
        id: newIdentifier('session'),
        operator_id: proved.id,
        created_at: now,
        last_seen_at: now,
        expires_at: now + SESSION_ABSOLUTE_MS,
        user_agent: from.userAgent?.slice(0, 300) ?? null,
        ip: from.ip,
        last_ip: null,
        second_factor_at: from.secondFactorAt,
      });
      return token;
    },

    isLive: (operatorId, sessionId) => isSessionLive(database, operatorId, sessionId, limits(clock.now())),
    list: (operatorId) => listLiveSessions(database, operatorId, limits(clock.now())),
    revoke: (operatorId, sessionId) => revokeSession(database, operatorId, sessionId, clock.now()),
  };
}
