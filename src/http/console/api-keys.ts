import { z } from 'zod';
import { apiKeySchema, createdApiKeySchema } from '../../api-keys/api-key-resource';
import { KEY_SCOPES } from '../../domain/key-scopes';
import { pageSchema } from '../../pagination/page-schema';
import { instantInput } from '../../schemas/instant';
import { listQuery } from '../../schemas/list';
import { displayName, idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';
import { workspaceRoute } from '../workspace-route';
import { HOUR_MS } from '../../domain/instant';

const tag = 'API keys';
const MAX_OVERLAP_HOURS = 30 * 24;

const scopesInput = z
  .array(z.enum(KEY_SCOPES))
  .min(1)
  .refine((scopes) => new Set(scopes).size === scopes.length, {
    error: 'names a scope twice',
    params: { fix: 'Name each scope once.' },
  })
  .meta({ description: 'The key’s scopes.', example: ['read', 'usage', 'subscriptions'] });

/** Developer > API keys. */
export function apiKeyRoutes({ apiKeys }: Services): Route[] {
  const list = route({
    method: 'get',
    path: '/api/api-keys',
    operationId: 'listApiKeys',
    summary: 'List the API keys of an environment',
    description: 'Newest first, including revoked and expired ones. Keys are never shown again.',
    tag,
    access: 'operator',
    role: 'viewer',
    query: listQuery,
    responses: { 200: { description: 'A page of keys.', schema: pageSchema(apiKeySchema) } },
    errors: ['cursor_invalid', 'take_invalid'],
    handle: async ({ principal, query }) => ({
      status: 200,
      body: await apiKeys.list(principal.scope, query),
    }),
  });

  const create = workspaceRoute({
    method: 'post',
    path: '/api/api-keys',
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description: '`secret` is returned only once. Without `scopes` the key has usage, customers and events.',
    tag,
    access: 'operator',
    stepUp: 'in_production',
    compress: false,
    role: 'developer',
    roleInProduction: 'admin',
    body: z.strictObject({
      name: displayName,
      expiresAt: instantInput.optional(),
      scopes: scopesInput.optional(),
    }),
    responses: { 201: { description: 'The key, with its secret.', schema: createdApiKeySchema } },
    answer: (actor, { body }) => apiKeys.create(actor, body),
  });

  const roll = workspaceRoute({
    method: 'post',
    path: '/api/api-keys/{id}/roll',
    operationId: 'rollApiKey',
    summary: 'Roll an API key',
    description:
      'Creates a key with the same name, scopes and expiry. Both work until the overlap ends; then the old one expires. `secret` is returned only once.',
    tag,
    access: 'operator',
    stepUp: 'in_production',
    compress: false,
    role: 'developer',
    roleInProduction: 'admin',
    params: idParams,
    body: z.strictObject({
      overlapHours: z
        .int()
        .min(0)
        .max(MAX_OVERLAP_HOURS)
        .default(24)
        .meta({ description: 'How long the old key keeps working; 0 ends it immediately.', example: 24 }),
    }),
    responses: { 201: { description: 'The new key, with its secret.', schema: createdApiKeySchema } },
    errors: ['api_key_not_found', 'api_key_not_active'],
    answer: (actor, { params, body }) => apiKeys.roll(actor, params.id, body.overlapHours * HOUR_MS),
  });

  const revoke = workspaceRoute({
    method: 'post',
    path: '/api/api-keys/{id}/revoke',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'It stops working within 5 seconds everywhere. Revoking it again changes nothing.',
    tag,
    access: 'operator',
    stepUp: 'in_production',
    role: 'developer',
    roleInProduction: 'admin',
    params: idParams,
    responses: { 200: { description: 'The revoked key.', schema: apiKeySchema } },
    errors: ['api_key_not_found'],
    answer: (actor, { params }) => apiKeys.revoke(actor, params.id),
  });

  return [list, create, roll, revoke];
}
