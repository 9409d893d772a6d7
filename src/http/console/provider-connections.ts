import {
  changedConnectionSchema,
  connectionSchema,
  connectionTestSchema,
  createConnectionInput,
  listConnectionsQuery,
  updateConnectionInput,
  type ChangedConnection,
  type ConnectionResource,
  type UpdateConnection,
} from '../../connections/connection-resource';
import { pageSchema } from '../../pagination/page-schema';
import { idParams } from '../../schemas/text';
import type { Actor } from '../../tenancy/actor';
import type { Services } from '../../service/services';
import { BODY_WITH_SETTINGS } from '../body-limit';
import { route, type Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Provider connections';
const path = '/api/provider-connections/{id}';
const changed = { description: 'The connection.', schema: changedConnectionSchema };
const connection = { description: 'The connection.', schema: connectionSchema };
const INPUT = ['validation_failed', 'secret_wrong_environment', 'key_unavailable'] as const;
const OPENING = ['connection_not_found', 'key_unavailable', 'credential_corrupt'] as const;

/** `/api/provider-connections` */
export function providerConnectionRoutes({
  providerConnections,
  pricesAfterChange,
}: Pick<Services, 'providerConnections' | 'pricesAfterChange'>): Route[] {
  /**
   * Adds the plan prices after a change that may have mapped plans or switched the account. A disabled connection is
   * not asked; when it is enabled, its prices may have changed.
   */
  const withPrices = async (
    actor: Actor,
    after: ConnectionResource,
    { settings, secrets, disabled }: UpdateConnection,
  ): Promise<ChangedConnection> => {
    const mayDiffer = (settings ?? secrets ?? disabled) !== undefined && after.disabledAt === null;
    if (!mayDiffer) return { ...after, planPrices: [] };
    return { ...after, planPrices: await pricesAfterChange.ofConnection(actor, after.id) };
  };

  const list = route({
    method: 'get',
    path: '/api/provider-connections',
    operationId: 'listProviderConnections',
    summary: 'The provider connections of an environment',
    description: 'Newest first, including disabled ones. Secrets are placeholders.',
    tag,
    access: 'operator',
    compress: false,
    role: 'viewer',
    query: listConnectionsQuery,
    responses: { 200: { description: 'A page of connections.', schema: pageSchema(connectionSchema) } },
    errors: ['cursor_invalid', 'take_invalid'],
    handle: async ({ principal, query }) => ({
      status: 200,
      body: await providerConnections.list(principal.scope, query),
    }),
  });

  const create = workspaceRoute({
    method: 'post',
    path: '/api/provider-connections',
    operationId: 'createProviderConnection',
    summary: 'Connect an account of a payment provider',
    description:
      'Secrets are stored encrypted and never shown again. Sandbox secrets are refused in production, and production secrets in the sandbox.',
    tag,
    access: 'operator',
    stepUp: 'always',
    compress: false,
    role: 'developer',
    roleInProduction: 'admin',
    body: createConnectionInput,
    bodyLimit: BODY_WITH_SETTINGS,
    responses: { 201: changed },
    errors: INPUT,
    answer: async (actor, { body }) => {
      const created = await providerConnections.create(actor, body);
      return withPrices(actor, created, body);
    },
  });

  const get = route({
    method: 'get',
    path,
    operationId: 'getProviderConnection',
    summary: 'Read a provider connection',
    tag,
    access: 'operator',
    compress: false,
    role: 'viewer',
    params: idParams,
    responses: { 200: connection },
    errors: ['connection_not_found'],
    handle: async ({ principal, params }) => ({
      status: 200,
      body: await providerConnections.get(principal.scope, params.id),
    }),
  });

  const update = workspaceRoute({
    method: 'patch',
    path,
    operationId: 'updateProviderConnection',
    summary: 'Change a provider connection',
    description:
      'A secret that is omitted or empty keeps its stored value. A new one re-encrypts the whole set. Public settings change without touching the secrets. A plan whose price differs at the provider is mapped, listed in `planPrices`, and not sold until the prices match.',
    tag,
    access: 'operator',
    stepUp: 'always',
    compress: false,
    role: 'developer',
    roleInProduction: 'admin',
    params: idParams,
    body: updateConnectionInput,
    bodyLimit: BODY_WITH_SETTINGS,
    responses: { 200: changed },
    errors: [...INPUT, ...OPENING],
    answer: async (actor, { params, body }) => {
      const updated = await providerConnections.update(actor, params.id, body);
      return withPrices(actor, updated, body);
    },
  });

  const disable = workspaceRoute({
    method: 'delete',
    path,
    operationId: 'disableProviderConnection',
    summary: 'Disable a provider connection',
    description: 'It no longer receives webhooks or makes calls. Its subscriptions and payments stay.',
    tag,
    access: 'operator',
    stepUp: 'always',
    compress: false,
    role: 'developer',
    roleInProduction: 'admin',
    params: idParams,
    responses: { 200: connection },
    errors: ['connection_not_found'],
    answer: (actor, { params }) => providerConnections.update(actor, params.id, { disabled: true }),
  });

  const test = workspaceRoute({
    method: 'post',
    path: `${path}/test`,
    operationId: 'testProviderConnection',
    summary: 'Test a provider connection',
    description:
      'Checks credentials, webhook, plan references, plan prices and mode at the provider. Changes nothing.',
    tag,
    access: 'operator',
    compress: false,
    role: 'developer',
    roleInProduction: 'admin',
    params: idParams,
    responses: { 200: { description: 'The result of each check.', schema: connectionTestSchema } },
    errors: [...OPENING, 'connection_disabled'],
    answer: (actor, { params }) => providerConnections.test(actor, params.id),
  });

  return [list, create, get, update, disable, test];
}
