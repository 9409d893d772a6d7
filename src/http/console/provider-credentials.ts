import { z } from 'zod';
import { credentialReportSchema } from '../../connections/credential-report-schema';
import { line } from '../../schemas/text';
import type { Services } from '../../service/services';
import type { PlatformPrincipal } from '../principals';
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
      summary: 'Read the credential migration report',
      description: 'For platform administrators. Remove an old key only when `pending` is 0.',
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
        'Re-encrypts the secrets of every connection with the active key, and removes recognized secrets from public settings. Waits up to 30 seconds, then answers 202 with the report so far. Safe to repeat.',
      tag,
      access: 'platformAdministrator',
      compress: false,
      responses: {
        200: { ...report, description: 'The migration has ended.' },
        202: { ...report, description: 'The migration continues.' },
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
      summary: 'Switch the active credential key',
      description: 'Refused until every running process has the key. Stored secrets stay readable.',
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
