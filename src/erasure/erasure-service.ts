import { createHmac } from 'node:crypto';
import { recordAudit } from '../audit/audit-store';
import { lockBalances } from '../customers/customer-lock-store';
import { findCustomer, requireCustomer, type CustomerRow } from '../customers/customer-store';
import type { Database, DbTransaction } from '../db/pools';
import { refuseDuplicate } from '../db/unique-violation';
import { inWorkspace } from '../db/workspace-transaction';
import { ERASURE_STEPS, openAffairs, pseudonymOf } from '../domain/erasure';
import { TollgateError } from '../domain/errors';
import { searchableNames } from '../domain/mention';
import { erasureIdOf } from '../customers/erasure-id';
import { enqueueErasureSignal } from '../outbox/enqueue-signal';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { lockCustomerForErasure, readAffairs, renameCustomer } from './erased-customer-store';
import { toErasureResource, type ErasureResource } from './erasure-resource';
import { findErasure, insertErasure, type ErasureRow } from './erasure-store';
import { findHoldings } from './holdings-store';

export interface Erasures {
  /**
   * Removes a customer's name at once, and starts to blank what was written about it. Repeated calls, by its former id
   * or its pseudonym, return the same erasure.
   *
   * @throws TollgateError customer_not_found; customer_has_open_affairs with what is `open`; resource_conflict if
   *   another customer has the pseudonym; service_busy
   */
  erase(actor: Actor, named: { id: string } | { externalId: string }): Promise<ErasureResource>;
  /** @throws TollgateError erasure_not_found */
  get(actor: Actor, id: string): Promise<ErasureResource>;
}

/** @param options.cursorSecret key for the hash of the external id; only that hash is kept */
export function createErasures(options: { database: Database; cursorSecret: string }): Erasures {
  const { database, cursorSecret } = options;
  const hashOf = ({ workspaceId, environment }: WorkspaceScope, externalId: string): Buffer =>
    createHmac('sha256', cursorSecret)
      .update(JSON.stringify(['erasure', workspaceId, environment, externalId]))
      .digest();

  /** Finds the erasure of a customer that can no longer be found by its name. */
  const findEarlier = (
    trx: DbTransaction,
    scope: WorkspaceScope,
    named: { id: string } | { externalId: string },
  ): Promise<ErasureRow | undefined> =>
    findErasure(
      trx,
      scope,
      'id' in named ? { id: erasureIdOf(named.id) } : { externalIdHash: hashOf(scope, named.externalId) },
    );

  return {
    erase: (actor, named) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const { scope } = actor;
        const customer = await lockNamed(trx, scope, named);
        const isNamed = customer !== undefined && customer.erasedAt === null;
        const earlier = isNamed
          ? undefined
          : await findEarlier(trx, scope, customer === undefined ? named : { id: customer.id });
        const erasure =
          earlier ??
          (await begin(trx, actor, requireCustomer(customer, Object.values(named).join('')), hashOf));
        return toErasureResource(erasure, await findHoldings(trx, scope, erasure.customerId));
      }),

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const erasure = await findErasure(trx, scope, { id });
        if (erasure === undefined) {
          throw new TollgateError('erasure_not_found', `There is no erasure "${id}" in this environment.`);
        }
        return toErasureResource(erasure, await findHoldings(trx, scope, erasure.customerId));
      }),
  };
}

/**
 * Locks and returns the customer, once no track counts for it and no transaction that references it is open; undefined
 * if it has lost the name in the meantime.
 */
async function lockNamed(
  trx: DbTransaction,
  scope: WorkspaceScope,
  named: { id: string } | { externalId: string },
): Promise<CustomerRow | undefined> {
  const found = await findCustomer(trx, scope, named);
  if (found === undefined || found.erasedAt !== null) return found;
  await lockBalances(trx, scope, found.externalId);
  await lockCustomerForErasure(trx, scope, found.id);
  const now = await findCustomer(trx, scope, { id: found.id });
  return 'externalId' in named && now?.externalId !== named.externalId ? undefined : now;
}

async function begin(
  trx: DbTransaction,
  actor: Actor,
  customer: CustomerRow,
  hashOf: (scope: WorkspaceScope, externalId: string) => Buffer,
): Promise<ErasureRow> {
  const { scope, receivedAt, now } = actor;
  const { id: customerId, externalId, name, email } = customer;
  const open = openAffairs(await readAffairs(trx, scope, customerId));
  if (open !== null) {
    const ids = Object.values(open).flat();
    const detail = `The customer has ${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ' and more' : ''} open.`;
    throw new TollgateError('customer_has_open_affairs', detail, { extra: { open } });
  }
  const erasure: ErasureRow = {
    id: erasureIdOf(customerId),
    customerId,
    externalIdHash: hashOf(scope, externalId),
    names: searchableNames([externalId, email, name]),
    step: ERASURE_STEPS[0],
    after: null,
    awaited: null,
    blanked: {},
    requestedAt: receivedAt,
    completedAt: null,
    nextWakeAt: receivedAt,
  };
  await refuseDuplicate('externalId', pseudonymOf(customerId), () =>
    renameCustomer(trx, scope, customerId, { at: receivedAt, now }),
  );
  await insertErasure(trx, scope, erasure);
  await recordAudit(trx, actor, {
    action: 'customer.erased',
    target: customerId,
    detail: { erasureId: erasure.id },
  });
  await enqueueErasureSignal(trx, scope, erasure.id);
  return erasure;
}
