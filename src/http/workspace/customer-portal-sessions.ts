import { externalIdParams } from '../../customers/customer-resource';
import { endedPortalSessionsSchema } from '../../portal/portal-session-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { mountedRoute, type MountedRoute } from '../mounted-route';

/** `…/customers/{id}/portal-sessions` */
export function customerPortalSessionRoutes({ portal }: Pick<Services, 'portal'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'delete',
      operationId: 'endPortalSessions',
      summary: 'End a customer’s links and sessions',
      description:
        'Open pages of the customer end at their next request, and existing links no longer work; new links can be created. Use it when the customer signs out of your application everywhere, or changes who may see the bills.',
      tag: 'Customer’s page',
      console: { path: '/api/customers/{id}/portal-sessions', role: 'developer' },
      v1: {
        path: '/v1/customers/{externalId}/portal-sessions',
        scopes: { anyOf: ['subscriptions'], namedOnly: true },
        params: externalIdParams,
      },
      params: idParams,
      responses: { 200: { description: 'How many were ended', schema: endedPortalSessionsSchema } },
      errors: ['customer_not_found'],
      answer: (actor, { params }) => portal.sessions.endAll(actor, params),
    }),
  ];
}
