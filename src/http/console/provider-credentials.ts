import { z } from 'zod';
import { credentialReportSchema } from '../../connections/credential-report-resource';
import { line } from '../../schemas/text';
import type { Services } from '../../service/services';
import type { PlatformPrincipal } from '../auth/principals';
import { route, type Route } from '../route';

const tag = 'Administration';
const path = '/api/admin/provider-credentials/migrate';
const report = { description: 'The report.', schema: credentialReportSchema };

/** `/api/admin/provider-credentials/…` */
export function providerCredentialRoutes({
  providerCredentials,
}: Pick<Services, 'providerCredentials'>): Route[] {
  return [
    route({
      method: 'get',
      path,
      operationId: 'getCredentialReport',
      summary: 'What is still to be migrated to the active credential key',
      description: 'For platform administrators. A key may go only when `pending` is 0.',
      tag,
      access: 'platformAdministrator',
      compress: false,
      responses: { 200: report },
      handle: async (call) => ({
        status: 200,
        body: await providerCredentials.report(operatorOf(call)),
      }),
    }),
    route({
      method: 'post',
      path,
      operationId: 'migrateCredentials',
      summary: 'Migrate credentials to the active key',
      description:
        'Seals every connection’s secrets under the active key, and takes recognised secrets out of public settings. Waits up to 30 seconds; then it is 202, and the report says how far it has come. It may be repeated.',
      tag,
      access: 'platformAdministrator',
      compress: false,
      responses: {
        200: { ...report, description: 'It has ended: the report.' },
        202: { ...report, description: 'It goes on: the report so far.' },
      },
      errors: ['temporal_unavailable', 'key_unavailable'],
      handle: async (call) => {
        const { done, report: body } = await providerCredentials.migrate(operatorOf(call));
        return done ? { status: 200, body } : { status: 202, body, headers: { Location: path } };
      },
    }),
    route({
      method: 'post',
      path: '/api/admin/provider-credentials/active-key',
      operationId: 'switchCredentialKey',
      summary: 'Make another credential key the one that writes',
      description: 'Refused until every running process holds it. What is stored stays readable.',
      tag,
      access: 'platformAdministrator',
      compress: false,
      body: z.strictObject({ keyId: line({ min: 1, max: 64 }) }),
      responses: { 200: report },
      errors: ['key_switch_refused'],
      handle: async (call) => ({
        status: 200,
        body: await providerCredentials.switchActiveKey(operatorOf(call), call.body.keyId),
      }),
    }),
  ];
}

function operatorOf(call: { principal: PlatformPrincipal; ip: string }) {
  const { operatorId, receivedAt } = call.principal;
  return { operatorId, receivedAt, ip: call.ip };
}
