import type { Logger } from 'pino';
import type { Clock } from '../clock/system-clock';
import type { Database, DbTransaction } from '../db/pools';
import { inOrganization } from '../db/workspace-transaction';
import { isTollgateError, TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { Charge } from '../operators/login-throttle';
import { lockOperator } from '../operators/operator-store';
import { hashPassword } from '../operators/password';
import { assertPasswordAllowed } from '../operators/password-policy';
import type { Sessions } from '../operators/session-service';
import { hashToken, isToken } from '../operators/session-token';
import { findOrganization, lockOrganization } from '../organizations/organization-store';
import { recordEverywhere } from '../organizations/record-everywhere';
import { assertMayReset } from './assert-may-reset';
import { resetAccount } from './reset-account';
import { findOpenResetLink, findResetLinkByToken, useResetLink, type ResetLinkRow } from './reset-link-store';

/** Holder of a link. */
interface Holder {
  token: string;
  /** Token of the browser's session, if it has one. */
  session: string | undefined;
  ip: string;
  /** The request's throttle charge; refunded if its token belongs to a link. */
  charge: Charge | undefined;
}

export interface ResetLinks {
  /** @throws TollgateError reset_link_invalid, reset_link_refused, reset_link_other_session */
  look(holder: Holder): Promise<{ organizationName: string; email: string; expiresAt: Instant }>;
  /**
   * Sets a new password, removes the second factor, and ends the account's sessions.
   *
   * @throws TollgateError reset_link_invalid, reset_link_refused, reset_link_other_session, validation_failed
   */
  use(holder: Holder & { password: string; requestId: string }): Promise<{ email: string }>;
}

export function createResetLinks(dependencies: {
  database: Database;
  sessions: Sessions;
  clock: Clock;
  log: Logger;
}): ResetLinks {
  const { database, sessions, clock, log } = dependencies;

  /** Runs `work` with the link after checking it again, because the rights it depended on may have been lost. */
  async function withLink<Result>(
    holder: Holder,
    purpose: 'look' | 'use',
    work: (trx: DbTransaction, workspaceId: string, link: ResetLinkRow) => Promise<Result>,
  ): Promise<Result> {
    const found = isToken(holder.token)
      ? await findResetLinkByToken(database, hashToken(holder.token))
      : undefined;
    if (found === undefined) throw invalid();
    const { workspaceId, id } = found;
    const live = await liveSession(holder);
    return inOrganization(database, workspaceId, 'OPERATOR', async (trx) => {
      if (purpose === 'use') await lockOrganization(trx, workspaceId);
      const seen = await findOpenResetLink(trx, workspaceId, id, clock.now());
      if (seen === undefined) throw invalid();
      // Until this ends, the operator cannot join another organization, change the password or open a session.
      const operator = await lockOperator(trx, seen.operatorId);
      // Read again, because a change of the password that this transaction waited for has ended the link.
      const link = await findOpenResetLink(trx, workspaceId, id, clock.now());
      if (operator === undefined || link === undefined) throw invalid();
      const { operatorId, issuedBy: issuerId, issuerRole } = link;
      await assertMayReset(trx, { issuerId, issuerRole, workspaceId }, operator, invalid());
      if (live !== undefined && live.operatorId !== operatorId) throw otherSession(link.email, live.email);
      return work(trx, workspaceId, link);
    });
  }

  /** Returns the operator logged in in the browser that opened the link. */
  async function liveSession({
    session,
    ip,
  }: Holder): Promise<{ operatorId: string; email: string } | undefined> {
    try {
      return await sessions.authenticate(session, ip);
    } catch (error) {
      if (isTollgateError(error) && error.code === 'session_required') return undefined;
      throw error;
    }
  }

  return {
    async look(holder) {
      const view = await withLink(holder, 'look', async (trx, workspaceId, { email, expiresAt }) => {
        const organization = await findOrganization(trx, workspaceId);
        return { organizationName: organization?.name ?? '', email, expiresAt };
      });
      await holder.charge?.refund();
      return view;
    },

    async use(holder) {
      const { password, ip, requestId } = holder;
      const email = await withLink(holder, 'look', (_trx, _workspaceId, link) => Promise.resolve(link.email));
      await holder.charge?.refund();
      assertPasswordAllowed(password, email, '/password');
      const passwordHash = await hashPassword(email, password);
      const reset = await withLink(holder, 'use', async (trx, workspaceId, link) => {
        const now = clock.now();
        const { id: resetLinkId, operatorId, issuedBy } = link;
        await useResetLink(trx, workspaceId, resetLinkId, now);
        const effect = await resetAccount(trx, operatorId, passwordHash, now);
        const detail = { resetLinkId, issuedBy, ...effect };
        await recordEverywhere(trx, { operatorId, action: 'operator.reset', detail, ip, now });
        return { operatorId, ...effect };
      });
      log.info({ ...reset, ip, requestId }, 'an account was reset by a link');
      return { email };
    },
  };
}

function invalid(): TollgateError {
  return new TollgateError(
    'reset_link_invalid',
    'This link is unknown, used, replaced by a newer one or expired, the password was changed since, or its creator is no longer an owner.',
  );
}

function otherSession(email: string, loggedIn: string): TollgateError {
  return new TollgateError(
    'reset_link_other_session',
    `The link is for ${email}, and ${loggedIn} is logged in here.`,
  );
}
