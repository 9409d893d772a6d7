import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import { changedMembers, isNothing } from '../audit/changed-members';
import type { Database } from '../db/pools';
import { refuseDuplicate } from '../db/unique-violation';
import { inWorkspace } from '../db/workspace-transaction';
import { isPseudonym } from '../domain/erasure';
import { TollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import { mapPage, type Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
import { omitUndefined } from '../schemas/omit-undefined';
import type { Actor } from '../tenancy/actor';
import {
  toCustomerResource,
  type createCustomerInput,
  type CustomerInput,
  type CustomerResource,
  type listCustomersQuery,
} from './customer-resource';
import {
  findCustomer,
  insertCustomer,
  listCustomers,
  listCustomersNamed,
  putCustomer,
  refuseErased,
  updateCustomer,
  type CustomerChange,
  type CustomerRow,
  requireCustomer,
} from './customer-store';
import { createCredits, type Credits } from './credit-service';

/** A customer as paths identify it: operators use its id, applications the external id. */
type CustomerName = { id: string } | { externalId: string };

export interface Customers {
  list(actor: Actor, query: z.output<typeof listCustomersQuery>): Promise<Page<CustomerResource>>;
  /** Returns the customers with these ids that exist, in no particular order. */
  listNamed(actor: Actor, ids: readonly string[]): Promise<CustomerResource[]>;
  /**
   * Returns the id of a customer that a route identifies by either.
   *
   * @throws TollgateError customer_not_found
   */
  idOf(actor: Actor, named: CustomerName): Promise<string>;
  /** @throws TollgateError customer_not_found */
  get(actor: Actor, id: string): Promise<CustomerResource>;
  /** @throws TollgateError resource_conflict, or validation_failed if it is reserved, on the external id */
  create(actor: Actor, input: z.output<typeof createCustomerInput>): Promise<CustomerResource>;
  /** @throws TollgateError customer_not_found, customer_erased */
  update(actor: Actor, id: string, input: CustomerInput): Promise<CustomerResource>;
  /**
   * Creates or updates by external id; repeating the call changes nothing further.
   * @throws TollgateError customer_erased, validation_failed if the external id of a new customer is reserved
   */
  put(
    actor: Actor,
    externalId: string,
    input: CustomerInput,
  ): Promise<{ customer: CustomerResource; created: boolean }>;
  credits: Credits;
}

export function createCustomers(options: { database: Database; cursorSecret: string }): Customers {
  const { database, cursorSecret } = options;
  return {
    list: ({ scope, reason }, { take, cursor, from, to, search }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const list = {
          secret: cursorSecret,
          scope,
          list: 'customers',
          filters: { search },
          take,
          cursor,
          from,
          to,
        };
        const page = await pageById(list, (part) =>
          listCustomers(trx, scope, { ...part, ...omitUndefined({ search }) }),
        );
        return mapPage(page, toCustomerResource);
      }),

    listNamed: ({ scope, reason }, ids) =>
      inWorkspace(database, scope, reason, async (trx) =>
        (await listCustomersNamed(trx, scope, ids)).map(toCustomerResource),
      ),

    idOf: async ({ scope, reason }, named) => {
      if ('id' in named) return named.id;
      const { externalId } = named;
      return inWorkspace(database, scope, reason, async (trx) => {
        return requireCustomer(await findCustomer(trx, scope, { externalId }), externalId).id;
      });
    },

    get: ({ scope, reason }, id) =>
      inWorkspace(database, scope, reason, async (trx) =>
        toCustomerResource(requireCustomer(await findCustomer(trx, scope, { id }), id)),
      ),

    create: (actor, input) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        refuseReserved(input.externalId, '');
        const customer = freshCustomer(actor, input.externalId, changeOf(input));
        await refuseDuplicate('externalId', input.externalId, () =>
          insertCustomer(trx, actor.scope, customer),
        );
        const detail = { externalId: input.externalId };
        await recordAudit(trx, actor, { action: 'customer.created', target: customer.id, detail });
        return toCustomerResource(customer);
      }),

    update: (actor, id, input) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const { scope, now } = actor;
        const change = changeOf(input);
        const before = refuseErased(requireCustomer(await findCustomer(trx, scope, { id }, 'lock'), id));
        const changed = changedMembers(before, change);
        if (isNothing(changed)) return toCustomerResource(before);
        const customer = requireCustomer(
          await updateCustomer(trx, scope, id, { ...change, updatedAt: now }),
          id,
        );
        // Records the names of changed members but not their values, so that personal data stays in one place.
        const detail = { externalId: customer.externalId, changed: Object.keys(changed) };
        await recordAudit(trx, actor, { action: 'customer.updated', target: id, detail });
        return toCustomerResource(customer);
      }),

    put: (actor, externalId, input) =>
      inWorkspace(database, actor.scope, actor.reason, async (trx) => {
        const { scope, now } = actor;
        const change = changeOf(input);
        const before = await findCustomer(trx, scope, { externalId }, 'lock');
        if (before === undefined) refuseReserved(externalId, '/path');
        // If another call creates the customer meanwhile, what it stores is not known.
        const changed = before === undefined ? change : changedMembers(before, change);
        // Applications upsert at each sign-in; a call that changes nothing writes nothing.
        if (before !== undefined && isNothing(changed))
          return { customer: toCustomerResource(refuseErased(before)), created: false };
        const fresh = freshCustomer({ now }, externalId, change);
        const { customer, created } = await putCustomer(trx, scope, fresh, change);
        if (created || !isNothing(changed)) {
          const action = created ? 'customer.created' : 'customer.updated';
          const detail = created ? { externalId } : { externalId, changed: Object.keys(changed) };
          await recordAudit(trx, actor, { action, target: customer.id, detail });
        }
        return { customer: toCustomerResource(customer), created };
      }),

    credits: createCredits(options),
  };
}

/**
 * @param within where the request has the external id, as a pointer
 * @throws TollgateError validation_failed if only an erased customer may have this external id
 */
function refuseReserved(externalId: string, within: '' | '/path'): void {
  if (!isPseudonym(externalId)) return;
  const message = 'is reserved for customers that were erased';
  throw new TollgateError('validation_failed', `The external id "${externalId}" ${message}.`, {
    errors: [{ pointer: `${within}/externalId`, message, fix: 'Choose another one.' }],
  });
}

function freshCustomer({ now }: Pick<Actor, 'now'>, externalId: string, change: CustomerChange): CustomerRow {
  const { name = null, email = null, metadata = {}, usageAlertPercents = null } = change;
  return {
    id: newIdentifier('customer'),
    externalId,
    name,
    email,
    metadata,
    usageAlertPercents,
    erasedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** Cleared metadata is stored as an empty object. */
function changeOf({ name, email, metadata, usageAlertPercents }: CustomerInput): CustomerChange {
  return omitUndefined({ name, email, metadata: metadata === null ? {} : metadata, usageAlertPercents });
}
