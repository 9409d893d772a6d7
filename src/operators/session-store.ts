import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';

/**
 * Sessions belong to the platform, not to one organization, so these functions take the database or any open
 * transaction, and always name the session or its operator.
 */
export interface SessionRow {
  id: string;
  operator_id: string;
  created_at: Instant;
  last_seen_at: Instant;
  expires_at: Instant;
  user_agent: string | null;
  ip: string | null;
}

export interface LiveSessionRow extends SessionRow {
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
  });
}

/**
 * The session with this hash and its operator, when it is neither revoked, nor past its end, nor idle for too
 * long.
 *
 * @param idleSince sessions last seen before this are over
 */
export async function findLiveSession(
  database: Database,
  idHash: Buffer,
  limits: { now: Instant; idleSince: Instant },
): Promise<LiveSessionRow | undefined> {
  return database('tollgate.operator_sessions as s')
    .join('tollgate.operators as o', 'o.id', 's.operator_id')
    .where('s.id_hash', idHash)
    .whereNull('s.revoked_at')
    .where('s.expires_at', '>', new Date(limits.now))
    .where('s.last_seen_at', '>', new Date(limits.idleSince))
    .first<LiveSessionRow | undefined>(
      's.id',
      's.operator_id',
      's.created_at',
      's.last_seen_at',
      's.expires_at',
      's.user_agent',
      's.ip',
      'o.email',
      'o.name',
      'o.is_platform_administrator',
    );
}

/** The operator's sessions that can still be used, newest first. */
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
    );
}

/** Moves `last_seen_at` forward, unless another process has just done it. */
export async function touchSession(
  database: Database,
  idHash: Buffer,
  now: Instant,
  notBefore: Instant,
): Promise<void> {
  await database('tollgate.operator_sessions')
    .where('id_hash', idHash)
    .where('last_seen_at', '<=', new Date(notBefore))
    .update({ last_seen_at: new Date(now) });
}

/** True when the session is live; for a long-lived stream that asks again while it is open. */
export async function isSessionLive(
  database: Database,
  operatorId: string,
  sessionId: string,
  limits: { now: Instant; idleSince: Instant },
): Promise<boolean> {
  const sessions = await listLiveSessions(database, operatorId, limits);
  return sessions.some((session) => session.id === sessionId);
}

/** Ends one of the operator's sessions; false when there was none to end. */
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

/** Ends whatever session has this token's hash: a log-in replaces the session that its browser came with. */
export async function revokeSessionByHash(database: Database, idHash: Buffer, now: Instant): Promise<void> {
  await database('tollgate.operator_sessions')
    .where('id_hash', idHash)
    .whereNull('revoked_at')
    .update({ revoked_at: new Date(now) });
}

/** Ends all of the operator's sessions; returns how many. */
export async function revokeAllSessions(
  database: Database,
  operatorId: string,
  now: Instant,
): Promise<number> {
  return database('tollgate.operator_sessions')
    .where('operator_id', operatorId)
    .whereNull('revoked_at')
    .update({ revoked_at: new Date(now) });
}
