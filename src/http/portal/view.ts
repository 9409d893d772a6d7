import { z } from 'zod';
import { TollgateError } from '../../domain/errors';
import { portalViewSchema } from '../../portal/portal-view-schema';
import type { Services } from '../../service/services';
import { WATCHING } from '../auth/portal-authenticator';
import { route, type Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Customer’s page';

/** Routes that read what the page shows. */
export function portalViewRoutes({ portal }: Pick<Services, 'portal'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path: '/portal/api/view',
      operationId: 'readPortalView',
      summary: 'Read all that the page shows',
      tag,
      access: 'portal',
      // The page polls this: an unchanged view is answered without a body.
      conditional: true,
      query: z.strictObject({ [WATCHING]: z.literal('true').optional() }),
      responses: { 200: { description: 'The view', schema: portalViewSchema } },
      answer: (actor, { principal }) => portal.readView(actor, principal.visitor),
    }),
    route({
      method: 'get',
      path: '/portal/api/logo',
      operationId: 'readPortalLogo',
      summary: 'Read the logo',
      tag,
      access: 'portal',
      query: z.strictObject({ version: z.string().max(64).optional() }),
      responses: { 200: { description: 'The image', contentType: 'image/png', schema: z.string() } },
      handle: async ({ principal }) => {
        const logo = await portal.readLogo(principal.scope);
        if (logo === null) throw new TollgateError('route_not_found', 'There is no logo.');
        const headers = { 'Content-Type': logo.type, 'Cache-Control': 'private, max-age=86400' };
        return { status: 200, headers, body: logo.bytes };
      },
    }),
  ];
}
