import type { z } from 'zod';
import { recordAudit } from '../audit/audit-store';
import { requireActiveKey } from '../credentials/active-key';
import type { DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { environmentInWords } from '../domain/environment';
import { TollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import { mapPage, type Page } from '../pagination/cursor';
import { pageById } from '../pagination/page-by-id';
import type { listQuery } from '../schemas/list';
import type { Actor } from '../tenancy/actor';
import { changeEndpoint } from './change-endpoint';
import { checkAddress } from './check-address';
import type { EndpointDependencies } from './endpoint-dependencies';
import {
  toEndpointResource,
  type ChangeEndpointInput,
  type CreatedWebhookEndpoint,
  type CreateEndpointInput,
  type WebhookEndpointResource,
} from './endpoint-resource';
import {
  countEndpoints,
  deleteDeliveries,
  deleteEndpoint,
  endpointNotFound,
  insertEndpoint,
  listEndpoints,
  requireEndpoint,
  updateEndpoint,
} from './endpoint-store';
import { rollSecret } from './roll-secret';
import { newSecret, sealSecret } from './sealed-secret';

/** Webhook endpoints: where integrators receive events. */
export interface WebhookEndpoints {
  /** @throws TollgateError cursor_invalid */
  list(actor: Actor, query: z.output<typeof listQuery>): Promise<Page<WebhookEndpointResource>>;
  /** @throws TollgateError webhook_endpoint_not_found */
  read(actor: Actor, id: string): Promise<WebhookEndpointResource>;
  /**
   * Creates an endpoint. `secret` is shown once.
   *
   * @param reauthenticate throws once the caller may no longer do this; called after the name's look-up, which the
   *   owner of the name can make last for seconds
   * @throws TollgateError webhook_address_refused, too_many_webhook_endpoints, key_unavailable; those of
   *   `reauthenticate`
   */
  create(
    actor: Actor,
    input: CreateEndpointInput,
    reauthenticate: () => Promise<void>,
  ): Promise<CreatedWebhookEndpoint>;
  /**
   * @param reauthenticate as of `create`
   * @throws TollgateError webhook_endpoint_not_found, webhook_address_refused; those of `reauthenticate`
   */
  change(
    actor: Actor,
    id: string,
    input: ChangeEndpointInput,
    reauthenticate: () => Promise<void>,
  ): Promise<WebhookEndpointResource>;
  /** Deletes an endpoint and its deliveries. @throws TollgateError webhook_endpoint_not_found */
  remove(actor: Actor, id: string): Promise<void>;
  /**
   * Creates a new secret, shown once. Messages are signed with both secrets until the overlap ends.
   *
   * @param overlapMs 0 ends the old secret at once
   * @throws TollgateError webhook_endpoint_not_found, key_unavailable
   */
  roll(actor: Actor, id: string, overlapMs: number): Promise<CreatedWebhookEndpoint>;
}

/** Maximum number of endpoints of an environment: each adds a row for every event it receives. */
const MAX_ENDPOINTS = 100;
/** Deliveries deleted in one transaction. */
const DELETED_AT_ONCE = 5_000;

export function createWebhookEndpoints(dependencies: EndpointDependencies): WebhookEndpoints {
  const { database, keyRing, cursorSecret: secret } = dependencies;
  return {
    list: ({ scope, reason, receivedAt }, { take, cursor, from, to }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const list = { secret, scope, list: 'webhook-endpoints', take, cursor, from, to };
        const page = await pageById(list, (rows) => listEndpoints(trx, scope, rows));
        return mapPage(page, (row) => toEndpointResource(row, receivedAt));
      }),

    read: ({ scope, reason, receivedAt }, id) =>
      inWorkspace(database, scope, reason, async (trx) =>
        toEndpointResource(await requireEndpoint(trx, scope, id), receivedAt),
      ),

    async create(actor, input, reauthenticate) {
      const { scope, receivedAt: now } = actor;
      const url = await checkAddress(input.url, scope.environment, dependencies);
      await reauthenticate();
      return inWorkspace(database, scope, actor.reason, async (trx) => {
        if ((await countEndpoints(trx, scope)) >= MAX_ENDPOINTS) {
          throw new TollgateError(
            'too_many_webhook_endpoints',
            `There are ${MAX_ENDPOINTS} webhook endpoints in ${environmentInWords(scope.environment)}.`,
          );
        }
        const id = newIdentifier('webhookEndpoint');
        const made = newSecret();
        const key = await requireActiveKey(trx, keyRing);
        const { description, types: eventTypes } = input;
        const sealed = sealSecret(key, scope, id, { revision: 1, secret: made });
        const lastFour = made.slice(-4);
        await insertEndpoint(trx, scope, { id, url, description, eventTypes, sealed, lastFour, now });
        const detail = { url, types: eventTypes };
        await recordAudit(trx, actor, { action: 'webhook_endpoint.created', target: id, detail });
        const row = await requireEndpoint(trx, scope, id);
        return { ...toEndpointResource(row, now), secret: made };
      });
    },

    change: (actor, id, input, reauthenticate) =>
      changeEndpoint(dependencies, actor, id, input, reauthenticate),

    async remove(actor, id) {
      const { scope, reason, receivedAt: now } = actor;
      const inTransaction = <T>(work: (trx: DbTransaction) => Promise<T>): Promise<T> =>
        inWorkspace(database, scope, reason, work);
      // The log may have millions of rows, and events would wait for their deletion. The endpoint is disabled first, so
      // it gets no new deliveries in the meantime. If the deletion is cut off, it stays disabled.
      await inTransaction(async (trx) => {
        const { disabledAt, url } = await requireEndpoint(trx, scope, id, 'lock');
        if (disabledAt !== null) return;
        await updateEndpoint(trx, scope, id, { disabled: { at: now, reason: 'operator' }, now });
        await recordAudit(trx, actor, { action: 'webhook_endpoint.disabled', target: id, detail: { url } });
      });
      const some = (): Promise<number> =>
        inTransaction((trx) => deleteDeliveries(trx, scope, id, DELETED_AT_ONCE));
      while ((await some()) === DELETED_AT_ONCE);
      await inTransaction(async (trx) => {
        const { url } = await requireEndpoint(trx, scope, id, 'lock');
        if (!(await deleteEndpoint(trx, scope, id))) throw endpointNotFound();
        const detail = { url };
        await recordAudit(trx, actor, { action: 'webhook_endpoint.deleted', target: id, detail });
      });
    },

    roll: (actor, id, overlapMs) => rollSecret(dependencies, actor, id, overlapMs),
  };
}
