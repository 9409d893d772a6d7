import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { MAX_CREDIT_GRANTS } from '../domain/access-credits';
import { decimalFromNumber, decimalToNumber, formatDecimal, parseDecimal } from '../domain/decimal';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { runOnce, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { newIdentifier } from '../identifiers/identifier';
import { mapPage, type Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
import { toTime } from '../schemas/instant';
import type { listQuery } from '../schemas/list';
import type { Actor } from '../tenancy/actor';
import { toCreditGrantResource, type createCreditInput, type CreditGrantResource } from './credit-resource';
import {
  countOpenGrants,
  findCreditGrant,
  insertCreditGrant,
  listCreditGrants,
  sumSpendableCredits,
  updateCreditExpiry,
  type CreditGrantRow,
} from './credit-store';
import { lockBalances } from './customer-lock-store';
import { findCustomer, holdCustomer, refuseErased, requireCustomer } from './customer-store';

export interface Credits {
  /**
   * Lists the grants, and what can be spent now.
   * @throws TollgateError customer_not_found
   */
  list(
    actor: Actor,
    customerId: string,
    query: z.output<typeof listQuery>,
  ): Promise<Page<CreditGrantResource> & { balance: number }>;
  /**
   * Grants credits once per claim; they can be spent from the very next call.
   *
   * @throws TollgateError customer_not_found, customer_erased, too_many_credit_grants; validation_failed for an expiry
   * in the past
   */
  grant(
    actor: Actor,
    customerId: string,
    input: z.output<typeof createCreditInput>,
    claim: Claim,
  ): Promise<StoredAnswer>;
  /**
   * Expires a grant now. An expired grant is unchanged.
   *
   * @throws TollgateError customer_not_found, customer_erased, credit_grant_not_found, service_busy
   */
  expire(actor: Actor, customerId: string, grantId: string): Promise<CreditGrantResource>;
}

export function createCredits(options: { database: Database; cursorSecret: string }): Credits {
  const { database, cursorSecret } = options;
  return {
    list: ({ scope, reason, now }, customerId, { take, cursor, from, to }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        requireCustomer(await findCustomer(trx, scope, { id: customerId }), customerId);
        const list = {
          secret: cursorSecret,
          scope,
          list: 'credits',
          filters: { customerId },
          take,
          cursor,
          from,
          to,
        };
        const page = await pageById(list, (part) => listCreditGrants(trx, scope, customerId, part));
        const balance = parseDecimal(await sumSpendableCredits(trx, scope, customerId, now));
        return {
          ...mapPage(page, (row) => toCreditGrantResource(row, now)),
          balance: decimalToNumber(balance),
        };
      }),

    grant: (actor, customerId, input, claim) =>
      inWorkspace(database, actor.scope, actor.reason, (trx) =>
        runOnce(trx, actor.scope, claim, actor.receivedAt, async () => {
          await holdCustomer(trx, actor.scope, { id: customerId });
          if (input.expiresAt !== undefined && input.expiresAt <= actor.now) throw expiryPast(actor.now);
          // Concurrent grants do not see each other, so the limit may be exceeded by a few.
          if ((await countOpenGrants(trx, actor.scope, customerId, actor.now)) >= MAX_CREDIT_GRANTS)
            throw tooManyGrants();
          const amount = formatDecimal(decimalFromNumber(input.amount));
          const grant: CreditGrantRow = {
            id: newIdentifier('creditGrant'),
            customerId,
            amount,
            remaining: amount,
            reason: input.reason ?? null,
            expiresAt: input.expiresAt ?? null,
            createdAt: actor.now,
          };
          await insertCreditGrant(trx, actor.scope, grant);
          const detail = { customerId, amount, reason: grant.reason };
          await recordAudit(trx, actor, { action: 'credits.granted', target: grant.id, detail });
          return { status: 201, body: toCreditGrantResource(grant, actor.now) };
        }),
      ),

    expire: (actor, customerId, grantId) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const { scope, now } = actor;
        const customer = refuseErased(
          requireCustomer(await findCustomer(trx, scope, { id: customerId }), customerId),
        );
        await lockBalances(trx, scope, customer.externalId);
        const grant = await findCreditGrant(trx, scope, customerId, grantId);
        if (grant === undefined) {
          throw new TollgateError('credit_grant_not_found', `The customer has no grant "${grantId}".`);
        }
        if (isExpired(grant, now)) return toCreditGrantResource(grant, now);
        await updateCreditExpiry(trx, scope, grantId, now);
        const detail = { customerId, remaining: formatDecimal(parseDecimal(grant.remaining)) };
        await recordAudit(trx, actor, { action: 'credits.expired', target: grantId, detail });
        return toCreditGrantResource({ ...grant, expiresAt: now }, now);
      }),
  };
}

function isExpired(grant: CreditGrantRow, now: Instant): boolean {
  return grant.expiresAt !== null && grant.expiresAt <= now;
}

function tooManyGrants(): TollgateError {
  const detail = `The customer has ${MAX_CREDIT_GRANTS} grants that are neither spent nor expired.`;
  return new TollgateError('too_many_credit_grants', detail);
}

function expiryPast(now: Instant): TollgateError {
  const message = `is not after the workspace’s current time, ${toTime(now)}`;
  return new TollgateError('validation_failed', `/expiresAt: ${message}`, {
    errors: [{ pointer: '/expiresAt', message, fix: 'Send a later time, or leave it out.' }],
  });
}
