import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import { requireReturnAddress } from '../checkouts/return-urls';
import type { Clock } from '../clock/system-clock';
import { findCustomer, holdCustomer, requireCustomer } from '../customers/customer-store';
import { createLookups } from '../db/batch';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Environment } from '../domain/environment';
import { TollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import { hashToken, isToken, newSessionToken } from '../operators/session-token';
import { toTime } from '../schemas/instant';
import { readSettings } from '../settings/settings-store';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import type { CreatePortalSessionInput, portalSessionSchema } from './portal-session-resource';
import {
  endPortalSessions,
  findLivePortalSession,
  findPortalSessions,
  insertPortalSession,
  openPortalSession,
  touchPortalSession,
  type PortalClaim,
} from './portal-session-store';
import { HOUR_MS, MINUTE_MS } from '../domain/instant';

/** How long a link can be opened. */
const LINK_MS = 30 * MINUTE_MS;
/** Idle timeout of a session. Background polling by the page does not count as use. */
const PORTAL_IDLE_MS = HOUR_MS;
/** Absolute timeout of a session. */
export const PORTAL_ABSOLUTE_MS = 12 * HOUR_MS;
/** Precision of `last_seen_at`. */
const TOUCH_EVERY_MS = MINUTE_MS;

/** The customer on the page. */
export interface PortalVisitor {
  sessionId: string;
  scope: WorkspaceScope;
  customerId: string;
  externalId: string;
  returnUrl: string | null;
}

/** Links to customers' pages, and the sessions they become. All times are real time. */
export interface PortalSessions {
  /**
   * @throws TollgateError customer_not_found, customer_erased, return_origin_forbidden, validation_failed for http in
   *   production
   */
  create(actor: Actor, input: CreatePortalSessionInput): Promise<z.output<typeof portalSessionSchema>>;
  /**
   * Opens a link, once, and returns the session's token, which is for the cookie and stored nowhere.
   *
   * @param replaces token of the browser's previous session, which ends
   * @throws TollgateError portal_link_invalid: unknown, used, expired, ended, or of the other environment
   */
  open(
    token: string,
    from: { environment: Environment; requestId: string; replaces: string | undefined },
  ): Promise<string>;
  /**
   * @param options.isUse whether the request counts as use for the idle timeout
   * @throws TollgateError portal_session_required if there is no such session, or it has ended
   */
  authenticate(
    token: string | undefined,
    environment: Environment,
    options: { isUse: boolean },
  ): Promise<PortalVisitor>;
  /** Ends one session. */
  end(visitor: PortalVisitor): Promise<void>;
  /** Ends a customer's links and sessions. @throws TollgateError customer_not_found */
  endAll(actor: Actor, named: { id: string } | { externalId: string }): Promise<{ ended: number }>;
}

export function createPortalSessions(options: {
  database: Database;
  clock: Clock;
  /** Public URLs of the API's hosts. */
  urls: Record<Environment, string>;
}): PortalSessions {
  const { database, clock, urls } = options;
  const lookUps = {
    link: createLookups((claims: readonly PortalClaim[]) => findPortalSessions(database, 'link', claims)),
    session: createLookups((claims: readonly PortalClaim[]) =>
      findPortalSessions(database, 'session', claims),
    ),
  };

  async function endReplaced(token: string | undefined, environment: Environment): Promise<void> {
    if (token === undefined || !isToken(token)) return;
    const found = await lookUps.session({ hash: hashToken(token), environment });
    if (found === undefined) return;
    await inWorkspace(database, found, 'CUSTOMER', (trx) =>
      endPortalSessions(trx, found, found, clock.now()),
    );
  }

  return {
    create: (actor, { returnUrl, ...named }) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const { scope, apiKeyId, receivedAt } = actor;
        if (apiKeyId === null) throw new Error('Only a secret key makes links to a customer’s page.');
        const { customerId = '', externalId } = named;
        const customer = await holdCustomer(
          trx,
          scope,
          externalId === undefined ? { id: customerId } : { externalId },
        );
        if (returnUrl !== undefined)
          requireReturnAddress('returnUrl', returnUrl, await readSettings(trx, scope), scope.environment);
        const token = newSessionToken();
        const id = newIdentifier('portalSession');
        const linkExpiresAt = receivedAt + LINK_MS;
        await insertPortalSession(trx, scope, {
          id,
          apiKeyId,
          linkExpiresAt,
          customerId: customer.id,
          linkHash: hashToken(token),
          returnUrl: returnUrl ?? null,
          createdAt: receivedAt,
        });
        const detail = { customerId: customer.id };
        await recordAudit(trx, actor, { action: 'portal_session.created', target: id, detail });
        // The fragment is never sent, so the token appears in no log of this host or a proxy, and in no Referer.
        const url = `${urls[scope.environment]}/portal#${token}`;
        return { id, url, expiresAt: toTime(linkExpiresAt) };
      }),

    async open(token, { environment, requestId, replaces }) {
      const now = clock.now();
      const hash = isToken(token) ? hashToken(token) : null;
      const link = hash === null ? undefined : await lookUps.link({ hash, environment });
      if (link === undefined) throw linkInvalid();
      const session = newSessionToken();
      await inWorkspace(database, link, 'CUSTOMER', async (trx) => {
        const expiresAt = now + PORTAL_ABSOLUTE_MS;
        if (!(await openPortalSession(trx, link, { hash: hashToken(session), now, expiresAt })))
          throw linkInvalid();
        const actor: Actor = {
          scope: link,
          reason: 'CUSTOMER',
          operatorId: null,
          apiKeyId: null,
          ip: null,
          requestId,
          receivedAt: now,
          now,
        };
        await recordAudit(trx, actor, { action: 'portal_session.opened', target: link.id });
      });
      await endReplaced(replaces, environment);
      return session;
    },

    async authenticate(token, environment, { isUse }) {
      const now = clock.now();
      const hash = token !== undefined && isToken(token) ? hashToken(token) : null;
      const found = hash === null ? undefined : await lookUps.session({ hash, environment });
      if (found === undefined) throw sessionRequired();
      const { workspaceId } = found;
      const scope = { workspaceId, environment };
      return inWorkspace(database, scope, 'CUSTOMER', async (trx) => {
        const live = await findLivePortalSession(trx, found, { now, idleSince: now - PORTAL_IDLE_MS });
        if (live === undefined) throw sessionRequired();
        const { id: sessionId, customerId, externalId, returnUrl, lastSeenAt } = live;
        if (isUse && lastSeenAt <= now - TOUCH_EVERY_MS) await touchPortalSession(trx, scope, sessionId, now);
        return { sessionId, scope, customerId, externalId, returnUrl };
      });
    },

    end: async ({ scope, sessionId }) => {
      await inWorkspace(database, scope, 'CUSTOMER', (trx) =>
        endPortalSessions(trx, scope, { id: sessionId }, clock.now()),
      );
    },

    endAll: (actor, named) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const { scope, receivedAt } = actor;
        const name = 'id' in named ? named.id : named.externalId;
        const { id } = requireCustomer(await findCustomer(trx, scope, named), name);
        const ended = await endPortalSessions(trx, scope, { customerId: id }, receivedAt);
        if (ended > 0)
          await recordAudit(trx, actor, { action: 'portal_session.ended', target: id, detail: { ended } });
        return { ended };
      }),
  };
}

function linkInvalid(): TollgateError {
  return new TollgateError(
    'portal_link_invalid',
    'This link has been opened before, has expired, or was withdrawn.',
  );
}

function sessionRequired(): TollgateError {
  return new TollgateError('portal_session_required', 'There is no session, or it has ended.');
}
