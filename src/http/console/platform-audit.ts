import { pageSchema } from '../../pagination/page-schema';
import { platformAuditSchema } from '../../platform-audit/platform-audit-resource';
import { listQuery } from '../../schemas/list';
import { identifier, line } from '../../schemas/text';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';

/** `/api/admin/audit` */
export function platformAuditRoutes({ platformAudit }: Pick<Services, 'platformAudit'>): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/admin/audit',
      operationId: 'listPlatformAuditRecords',
      summary: 'List the platform audit',
      description:
        'For platform administrators, newest first: log-ins, and what operators change of their passwords, second factors and sessions; credential keys and migrations; and webhooks that belong to no workspace. The sum of `count` is the number of occurrences.',
      tag: 'Administration',
      access: 'platformAdministrator',
      query: listQuery.extend({
        action: line({ min: 1, max: 100 }).optional().meta({ example: 'operator.login_failed' }),
        operatorId: identifier.optional(),
      }),
      responses: { 200: { description: 'A page of records.', schema: pageSchema(platformAuditSchema) } },
      errors: ['cursor_invalid', 'take_invalid'],
      handle: async ({ query }) => ({ status: 200, body: await platformAudit.list(query) }),
    }),
  ];
}
