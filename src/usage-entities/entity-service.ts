import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import { lockBalances } from '../customers/customer-lock-store';
import { findCustomer, requireCustomer } from '../customers/customer-store';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation } from '../pagination/page-by-creation';
import type { listQuery } from '../schemas/list';
import type { Actor } from '../tenancy/actor';
import { toEntityResource, type EntityResource } from './entity-resource';
import { deleteEntity, listEntities } from './entity-row-store';

/** A customer's users, projects or similar. The first use of each creates it (src/usage). */
export interface Entities {
  /** @throws TollgateError customer_not_found, cursor_invalid */
  list(actor: Actor, customerId: string, query: z.output<typeof listQuery>): Promise<Page<EntityResource>>;
  /**
   * Removes an entity, so that it no longer counts towards the plan's limit. Its usage stays counted, and its next use
   * creates it again.
   *
   * @throws TollgateError customer_not_found, entity_not_found, service_busy
   */
  remove(actor: Actor, customerId: string, entity: string): Promise<void>;
}

export function createEntities(options: { database: Database; cursorSecret: string }): Entities {
  const { database, cursorSecret } = options;
  return {
    list: ({ scope, reason }, customerId, { take, cursor, from, to }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        requireCustomer(await findCustomer(trx, scope, { id: customerId }), customerId);
        const filters = { customerId };
        const list = { secret: cursorSecret, scope, list: 'entities', filters, take, cursor, from, to };
        const page = await pageByCreation(list, async (part) =>
          (await listEntities(trx, scope, customerId, part)).map((row) => ({ ...row, id: row.entity })),
        );
        return mapPage(page, toEntityResource);
      }),

    remove: (actor, customerId, entity) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const found = await findCustomer(trx, actor.scope, { id: customerId });
        const { externalId } = requireCustomer(found, customerId);
        await lockBalances(trx, actor.scope, externalId);
        if (!(await deleteEntity(trx, actor.scope, { customerId, entity })))
          throw new TollgateError('entity_not_found', `${externalId} has no entity "${entity}".`);
        const detail = { entity };
        await recordAudit(trx, actor, { action: 'customer.entity_removed', target: customerId, detail });
      }),
  };
}
