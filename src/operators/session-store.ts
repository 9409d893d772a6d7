import { inPlaces } from '../db/batch';
import type { Database, DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';

/**
 * Sessions belong to the platform, not to one organization. These functions take the database or any open transaction,
 * and always name the session or its operator.
 */
export interface SessionRow {
  id: string;
  operator_id: string;
  created_at: Instant;
  last_seen_at: Instant;
  expires_at: Instant;
  user_agent: string | null;
  /** Address it was opened from. */
  ip: string | null;
  /** Address it was last used from; null until it is used at least a minute after it was opened. */
  last_ip: string | null;
  /** When the second factor was last confirmed in this session. */
  second_factor_at: Instant | null;
}

export interface LiveSessionRow extends SessionRow {
  /** Whether its operator has a confirmed second factor. */
  has_second_factor: boolean;
  email: string;
  name: string;
  is_platform_administrator: boolean;
}

export async function insertSession(
  database: Database,
  session: SessionRow & { id_hash: Buffer },
): Promise<void> {
  await database('tollgate.operator_sessions').insert({
    ...session,
    created_at: new Date(session.created_at),
    last_seen_at: new Date(session.last_seen_at),
    expires_at: new Date(session.expires_at),
    second_factor_at: session.second_factor_at === null ? null : new Date(session.second_factor_at),
  });
}

/** The hash of a session's token, and the times by which it is judged. Sessions last seen before `idleSince` have ended. */
export interface SessionClaim {
  hash: Buffer;
  now: Instant;
  idleSince: Instant;
}

/**
 * Returns the claimed sessions with their operators, in the order of the claims; null for one that does not exist or is
 * revoked, expired or idle for too long.
 */
export async function findLiveSessions(
  database: Database,
  claims: readonly SessionClaim[],
): Promise<(LiveSessionRow | null)[]> {
  const { rows } = await database.raw<{ rows: (LiveSessionRow & { place: number })[] }>(
    `SELECT asked.place::integer, s.id, s.operator_id, s.created_at, s.last_seen_at, s.expires_at, s.user_agent, s.ip,
            s.last_ip, s.second_factor_at, o.email, o.name, o.is_platform_administrator,
            EXISTS (SELECT FROM tollgate.operator_second_factors f
                     WHERE f.operator_id = o.id AND f.confirmed_at IS NOT NULL) AS has_second_factor
       FROM unnest(?::bytea[], ?::timestamptz[], ?::timestamptz[])
              WITH ORDINALITY AS asked (hash, now, idle_since, place)
       JOIN tollgate.operator_sessions s ON s.id_hash = asked.hash
       JOIN tollgate.operators o ON o.id = s.operator_id
      WHERE s.revoked_at IS NULL AND s.expires_at > asked.now AND s.last_seen_at > asked.idle_since`,
    [
      claims.map(({ hash }) => hash),
      claims.map(({ now }) => new Date(now)),
      claims.map(({ idleSince }) => new Date(idleSince)),
    ],
  );
  return inPlaces(claims.length, rows);
}

/** Lists the operator's live sessions, newest first. */
export async function listLiveSessions(
  database: Database,
  operatorId: string,
  limits: { now: Instant; idleSince: Instant },
): Promise<SessionRow[]> {
  return database('tollgate.operator_sessions')
    .where('operator_id', operatorId)
    .whereNull('revoked_at')
    .where('expires_at', '>', new Date(limits.now))
    .where('last_seen_at', '>', new Date(limits.idleSince))
    .orderBy('id', 'desc')
    .select<SessionRow[]>(
      'id',
      'operator_id',
      'created_at',
      'last_seen_at',
      'expires_at',
      'user_agent',
      'ip',
      'last_ip',
      'second_factor_at',
    );
}

/** Updates `last_seen_at` and the address, unless another process has just done so. */
export async function touchSession(
  database: Database,
  idHash: Buffer,
  { now, notBefore, ip }: { now: Instant; notBefore: Instant; ip: string },
): Promise<void> {
  await database('tollgate.operator_sessions')
    .where('id_hash', idHash)
    .where('last_seen_at', '<=', new Date(notBefore))
    .update({ last_seen_at: new Date(now), last_ip: ip });
}

/** Records that the second factor was confirmed in this session only. */
export async function markConfirmed(
  database: Database,
  operatorId: string,
  sessionId: string,
  now: Instant,
): Promise<void> {
  await database('tollgate.operator_sessions')
    .where({ operator_id: operatorId, id: sessionId })
    .update({ second_factor_at: new Date(now) });
}

/** Clears the confirmations in all of the operator's sessions, because the second factor was deleted. */
export async function forgetConfirmations(database: Database, operatorId: string): Promise<void> {
  await database('tollgate.operator_sessions')
    .where('operator_id', operatorId)
    .update({ second_factor_at: null });
}

/** Whether the session is live, for a long-lived stream that checks repeatedly. */
export async function isSessionLive(
  database: Database,
  operatorId: string,
  sessionId: string,
  limits: { now: Instant; idleSince: Instant },
): Promise<boolean> {
  const sessions = await listLiveSessions(database, operatorId, limits);
  return sessions.some((session) => session.id === sessionId);
}

/**
 * Refuses an act of a session that was ended after the request was authenticated. The caller must hold the operator's
 * row lock: a change of the password then either has ended the session, or waits.
 *
 * @throws TollgateError session_required
 */
export async function refuseEndedSession(
  trx: DbTransaction,
  operatorId: string,
  sessionId: string,
): Promise<void> {
  const live = await trx('tollgate.operator_sessions')
    .where({ operator_id: operatorId, id: sessionId })
    .whereNull('revoked_at')
    .first<{ id: string } | undefined>('id');
  if (live === undefined) throw new TollgateError('session_required', 'The session has ended.');
}

/** Ends one of the operator's sessions; false if there was none to end. */
export async function revokeSession(
  database: Database,
  operatorId: string,
  sessionId: string,
  now: Instant,
): Promise<boolean> {
  const ended = await database('tollgate.operator_sessions')
    .where({ operator_id: operatorId, id: sessionId })
    .whereNull('revoked_at')
    .update({ revoked_at: new Date(now) });
  return ended === 1;
}

/** Ends the session with this token hash, if any: a log-in replaces the browser's previous session. */
export async function revokeSessionByHash(database: Database, idHash: Buffer, now: Instant): Promise<void> {
  await database('tollgate.operator_sessions')
    .where('id_hash', idHash)
    .whereNull('revoked_at')
    .update({ revoked_at: new Date(now) });
}

/** Ends all of the operator's sessions, except one if it is named; returns how many. */
export async function revokeAllSessions(
  database: Database,
  operatorId: string,
  now: Instant,
  except: string | null = null,
): Promise<number> {
  return database('tollgate.operator_sessions')
    .where('operator_id', operatorId)
    .whereNull('revoked_at')
    .where((others) => {
      if (except !== null) void others.whereNot('id', except);
    })
    .update({ revoked_at: new Date(now) });
}
