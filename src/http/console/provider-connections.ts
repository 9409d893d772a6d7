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
import { pageSchema } from '../../pagination/cursor';
import { idParams } from '../../schemas/text';
import type { Actor } from '../../tenancy/scope';
import type { Services } from '../../service/services';
import { requireAdminInProduction } from '../auth/require-admin-in-production';
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
  planPrices,
}: Pick<Services, 'providerConnections' | 'planPrices'>): Route[] {
  /** What was sent may have mapped plans, or made the account another one. A disabled connection is not asked. */
  const withPrices = async (
    actor: Actor,
    after: ConnectionResource,
    { settings, secrets }: UpdateConnection,
  ): Promise<ChangedConnection> => {
    const mayDiffer = (settings ?? secrets) !== undefined && after.disabledAt === null;
    return { ...after, planPrices: mayDiffer ? await planPrices.ofConnection(actor, after.id) : [] };
  };

  const list = route({
    method: 'get',
    path: '/api/provider-connections',
    operationId: 'listProviderConnections',
    summary: 'The provider connections of an environment',
    description: 'Newest first, the disabled ones too. Secrets are placeholders.',
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
      'Secrets are stored encrypted and never shown again. In production this needs the role admin, and a secret of the sandbox is refused there, as one of production is in the sandbox.',
    tag,
    access: 'operator',
    compress: false,
    role: 'developer',
    body: createConnectionInput,
    bodyLimit: BODY_WITH_SETTINGS,
    responses: { 201: changed },
    errors: INPUT,
    answer: async (actor, { principal, body }) => {
      requireAdminInProduction(principal);
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
      'A secret that is left out or empty keeps what is stored. A new one encrypts the whole set again. Public settings change without touching the secrets. A plan whose price at the provider differs is mapped all the same, is listed in `planPrices`, and is not sold until the two agree. In production this needs the role admin.',
    tag,
    access: 'operator',
    compress: false,
    role: 'developer',
    params: idParams,
    body: updateConnectionInput,
    bodyLimit: BODY_WITH_SETTINGS,
    responses: { 200: changed },
    errors: [...INPUT, ...OPENING],
    answer: async (actor, { principal, params, body }) => {
      requireAdminInProduction(principal);
      const updated = await providerConnections.update(actor, params.id, body);
      return withPrices(actor, updated, body);
    },
  });

  const disable = workspaceRoute({
    method: 'delete',
    path,
    operationId: 'disableProviderConnection',
    summary: 'Disable a provider connection',
    description:
      'It takes no more webhooks and is asked for nothing; what it has done stays. In production this needs the role admin.',
    tag,
    access: 'operator',
    compress: false,
    role: 'developer',
    params: idParams,
    responses: { 200: connection },
    errors: ['connection_not_found'],
    answer: async (actor, { principal, params }) => {
      requireAdminInProduction(principal);
      return providerConnections.update(actor, params.id, { disabled: true });
    },
  });

  const test = workspaceRoute({
    method: 'post',
    path: `${path}/test`,
    operationId: 'testProviderConnection',
    summary: 'Ask the provider whether a connection works',
    description:
      'Checks the credentials, the webhook, the plan references, the plans’ prices and the mode. Nothing is changed. In production this needs the role admin.',
    tag,
    access: 'operator',
    compress: false,
    role: 'developer',
    params: idParams,
    responses: { 200: { description: 'What each check says.', schema: connectionTestSchema } },
    errors: [...OPENING, 'connection_disabled'],
    answer: async (actor, { principal, params }) => {
      requireAdminInProduction(principal);
      return providerConnections.test(actor, params.id);
    },
  });

  return [list, create, get, update, disable, test];
}
