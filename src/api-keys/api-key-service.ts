import type { Logger } from 'pino';
import { recordAudit } from '../audit/audit-store';
import type { Clock } from '../clock/system-clock';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Environment } from '../domain/environment';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { EARLIER_SCOPES, type KeyScope } from '../domain/key-scopes';
import { newIdentifier } from '../identifiers/identifier';
import { mapPage, type Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
import type { z } from 'zod';
import type { listQuery } from '../schemas/list';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { generateApiKey, hashApiKey } from './api-key';
import { ApiKeyCache } from './api-key-cache';
import { toApiKeyResource, type ApiKeyResource } from './api-key-resource';
import {
  expireApiKey,
  findApiKey,
  findSuccessor,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKeyRow,
} from './api-key-store';
import { createApiKeyAuthentication, type ApiKeyAuthentication } from './authenticate-api-key';
import { createLastUsed } from './last-used';

/** A key as returned by its creation. `secret` is shown once. */
type CreatedApiKey = ApiKeyResource & { secret: string };

interface KeyTerms {
  name: string;
  expiresAt: Instant | null;
  scopes: readonly KeyScope[] | null;
  rolledFrom: string | null;
}

/** Integrators' keys: created and revoked by operators, authenticated on each call. */
export interface ApiKeys {
  authenticate: ApiKeyAuthentication;
  /** @throws TollgateError cursor_invalid */
  list(scope: WorkspaceScope, page: z.output<typeof listQuery>): Promise<Page<ApiKeyResource>>;
  /**
   * Creates a key. `secret` is shown once.
   *
   * @throws TollgateError validation_failed if it would already have expired
   */
  create(
    actor: Actor,
    input: { name: string; expiresAt?: Instant | undefined; scopes?: readonly KeyScope[] | undefined },
  ): Promise<CreatedApiKey>;
  /**
   * Creates a key that replaces another one, with its name, scopes and expiry. The old key remains valid for the
   * overlap, in milliseconds; zero ends it at once.
   *
   * @throws TollgateError api_key_not_found, api_key_not_active
   */
  roll(actor: Actor, id: string, overlapMs: number): Promise<CreatedApiKey>;
  /**
   * Revokes a key: at once in this process, within five seconds in all others. Repeating it has no effect.
   *
   * @throws TollgateError api_key_not_found
   */
  revoke(actor: Actor, id: string): Promise<ApiKeyResource>;
  /** Writes pending last-used times. */
  stop(): Promise<void>;
}

export function createApiKeys(dependencies: {
  database: Database;
  clock: Clock;
  log: Logger;
  apiKeyPepper: string;
  cursorSecret: string;
  urls: Record<Environment, string>;
}): ApiKeys {
  const { database, apiKeyPepper: pepper, cursorSecret: secret, urls: publicUrls } = dependencies;
  const cache = new ApiKeyCache();
  const lastUsed = createLastUsed(dependencies);

  async function make(trx: DbTransaction, actor: Actor, terms: KeyTerms): Promise<CreatedApiKey> {
    const { scope, receivedAt: createdAt, operatorId: createdBy } = actor;
    const key = generateApiKey(scope.environment);
    const id = newIdentifier('apiKey');
    const lastFour = key.slice(-4);
    await insertApiKey(trx, scope, {
      ...terms,
      id,
      hash: hashApiKey(key, pepper),
      lastFour,
      createdBy,
      createdAt,
    });
    const { name, scopes, rolledFrom } = terms;
    const action = rolledFrom === null ? 'api_key.created' : 'api_key.rolled';
    const detail = { name, lastFour, scopes, ...(rolledFrom === null ? {} : { rolledFrom }) };
    await recordAudit(trx, actor, { action, target: id, detail });
    const row = await requireApiKey(trx, scope, id);
    return { ...toApiKeyResource(row, scope.environment), secret: key };
  }

  return {
    authenticate: createApiKeyAuthentication({ ...dependencies, pepper, publicUrls, cache, lastUsed }),

    async list(scope, { take, cursor, from, to }) {
      const page = await inWorkspace(database, scope, 'OPERATOR', (trx) =>
        pageById({ secret, scope, list: 'api-keys', take, cursor, from, to }, (rows) =>
          listApiKeys(trx, scope, rows),
        ),
      );
      return mapPage(page, (row) => toApiKeyResource(row, scope.environment));
    },

    async create(actor, { name, expiresAt = null, scopes = EARLIER_SCOPES }) {
      const { scope, receivedAt } = actor;
      assertAhead(expiresAt, receivedAt);
      return inWorkspace(database, scope, actor.reason, (trx) =>
        make(trx, actor, { name, expiresAt, scopes, rolledFrom: null }),
      );
    },

    async roll(actor, id, overlapMs) {
      const { scope, receivedAt: now } = actor;
      const made = await inWorkspace(database, scope, actor.reason, async (trx) => {
        const key = await requireApiKey(trx, scope, id);
        const { name, scopes } = key;
        const expiresAt = await endOfTerms(trx, scope, key);
        if (!(await expireApiKey(trx, scope, id, { at: now + overlapMs, now }))) {
          throw new TollgateError('api_key_not_active', 'This API key is revoked or has expired.');
        }
        return make(trx, actor, { name, expiresAt, scopes, rolledFrom: id });
      });
      cache.evict(id);
      return made;
    },

    async revoke(actor, id) {
      const { scope } = actor;
      const row = await inWorkspace(database, scope, actor.reason, async (trx) => {
        const { name, last_four: lastFour } = await requireApiKey(trx, scope, id);
        if (await revokeApiKey(trx, scope, id, actor.receivedAt)) {
          await recordAudit(trx, actor, {
            action: 'api_key.revoked',
            target: id,
            detail: { name, lastFour },
          });
        }
        return requireApiKey(trx, scope, id);
      });
      cache.evict(id);
      return toApiKeyResource(row, scope.environment);
    },

    stop: () => lastUsed.stop(),
  };
}

async function requireApiKey(trx: DbTransaction, scope: WorkspaceScope, id: string): Promise<ApiKeyRow> {
  const row = await findApiKey(trx, scope, id);
  if (row === undefined)
    throw new TollgateError('api_key_not_found', 'No API key of this environment has this id.');
  return row;
}

/**
 * Returns the expiry a key was created with. A rolled key ends with its overlap, and so does a successor that was
 * rolled itself; the last one still has the original expiry.
 */
async function endOfTerms(
  trx: DbTransaction,
  scope: WorkspaceScope,
  key: ApiKeyRow,
): Promise<Instant | null> {
  const successor = await findSuccessor(trx, scope, key.id);
  return successor === undefined ? key.expires_at : endOfTerms(trx, scope, successor);
}

function assertAhead(expiresAt: Instant | null, now: Instant): void {
  if (expiresAt === null || expiresAt > now) return;
  throw new TollgateError('validation_failed', '/expiresAt: is not in the future', {
    errors: [
      {
        pointer: '/expiresAt',
        message: 'is not in the future',
        fix: 'Send a later time, or leave it out for a key that does not expire.',
      },
    ],
  });
}
