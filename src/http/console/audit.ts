import { auditRecordSchema } from '../../audit/audit-resource';
import { pageSchema } from '../../pagination/page-schema';
import { listQuery } from '../../schemas/list';
import { identifier, line } from '../../schemas/text';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';

/** Audit records of operators' actions. */
export function auditRoutes({ audit }: Services): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/audit',
      operationId: 'listAuditRecords',
      summary: 'List the audit record',
      description: 'Newest first: actions in this environment and on the organization.',
      tag: 'Audit',
      access: 'operator',
      role: 'admin',
      query: listQuery.extend({
        action: line({ min: 1, max: 100 }).optional().meta({ example: 'api_key.revoked' }),
        operatorId: identifier.optional(),
        apiKeyId: identifier.optional(),
      }),
      responses: { 200: { description: 'A page of records.', schema: pageSchema(auditRecordSchema) } },
      errors: ['cursor_invalid', 'take_invalid'],
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await audit.list(principal.scope, query),
      }),
    }),
  ];
}
