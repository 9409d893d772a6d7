import { createPortalSessionInput, portalSessionSchema } from '../../portal/portal-session-resource';
import type { Services } from '../../service/services';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

/** `/v1/portal-sessions` */
export function portalSessionRoutes({ portal }: Pick<Services, 'portal'>): Route[] {
  return [
    workspaceRoute({
      method: 'post',
      path: '/v1/portal-sessions',
      operationId: 'createPortalSession',
      summary: 'Create a link to a customer’s page',
      description:
        'The link works once, within 30 minutes, and starts a session for this customer in the browser that opened it, for at most 12 hours. Create it when the customer asks for it, and redirect to it. No Idempotency-Key: links are not stored, so a retry creates another one. Revoking the key ends its links and their sessions.',
      tag: 'Customer’s page',
      access: 'apiKey',
      scopes: { anyOf: ['subscriptions'], namedOnly: true },
      compress: false,
      body: createPortalSessionInput,
      example: { externalId: 'demo_acme' },
      responses: { 201: { description: 'The link', schema: portalSessionSchema } },
      errors: ['customer_not_found', 'customer_erased', 'return_origin_forbidden'],
      answer: (actor, { body }) => portal.sessions.create(actor, body),
    }),
  ];
}
