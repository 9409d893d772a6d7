import { z } from 'zod';
import { timeSchema, toTime, toTimeOrNull } from '../../schemas/instant';
import { line, text } from '../../schemas/text';
import type { Services } from '../../service/services';
import { accountHolder } from '../auth/account-holder';
import { createDeviceCookie } from '../auth/session-cookie';
import { route, type Route } from '../route';

const tag = 'Authentication';
const path = '/api/auth/second-factor';
const password = text({ min: 1, max: 400 });
export const code = line({ min: 6, max: 40 }).meta({
  description: 'Six digits of the authenticator app, or a recovery code.',
});
const codeErrors = [
  'second_factor_not_enrolled',
  'second_factor_failed',
  'login_throttled',
  'key_unavailable',
  'credential_corrupt',
  'origin_forbidden',
] as const;
const recoveryCodesSchema = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .meta({ description: 'Each works once instead of a code. They are not shown again.' }),
  })
  .meta({ id: 'RecoveryCodes' });

/** Routes for one's own second factor. */
export function secondFactorRoutes({
  secondFactors,
  urls,
}: Pick<Services, 'secondFactors' | 'urls'>): Route[] {
  const deviceCookie = createDeviceCookie(urls.console);
  const read = route({
    method: 'get',
    path,
    operationId: 'getSecondFactor',
    summary: 'Read your second factor',
    tag,
    access: 'session',
    compress: false,
    responses: {
      200: {
        description: 'Whether one is set up.',
        schema: z
          .object({
            enrolledAt: timeSchema.nullable().meta({ description: 'Null where there is none.' }),
            confirmedAt: timeSchema
              .nullable()
              .meta({ description: 'When it was last confirmed in this session.' }),
            recoveryCodesLeft: z.int(),
          })
          .meta({ id: 'SecondFactor' }),
      },
    },
    handle: async (call) => {
      const { enrolledAt, recoveryCodesLeft } = await secondFactors.read(accountHolder(call));
      const confirmedAt = toTimeOrNull(call.principal.secondFactor.confirmedAt);
      return {
        status: 200,
        body: { enrolledAt: toTimeOrNull(enrolledAt), confirmedAt, recoveryCodesLeft },
      };
    },
  });

  const begin = route({
    method: 'post',
    path,
    operationId: 'beginSecondFactor',
    summary: 'Start setting up a second factor',
    description:
      'Returns a secret for an authenticator app (TOTP, RFC 6238). It takes effect once this session confirms it with a code within 30 minutes.',
    tag,
    access: 'session',
    compress: false,
    body: z.strictObject({ password }),
    responses: {
      201: {
        description: 'The secret, which is not shown again.',
        schema: z
          .object({
            secret: z.string().meta({ description: 'In base 32, for manual entry.' }),
            uri: z.string().meta({ description: 'The same as an otpauth URI, for a QR code.' }),
          })
          .meta({ id: 'SecondFactorEnrolment' }),
      },
    },
    errors: [
      'second_factor_exists',
      'password_wrong',
      'login_throttled',
      'key_unavailable',
      'service_busy',
      'origin_forbidden',
    ],
    handle: async (call) => ({
      status: 201,
      body: await secondFactors.enrolment.begin(accountHolder(call), call.body.password),
    }),
  });

  const enrol = route({
    method: 'post',
    path: `${path}/enrol`,
    operationId: 'enrolSecondFactor',
    summary: 'Finish setting up a second factor',
    description: 'From now on logging in asks for a code. Your other sessions end.',
    tag,
    access: 'session',
    compress: false,
    body: z.strictObject({ code }),
    responses: { 200: { description: 'It is in effect.', schema: recoveryCodesSchema } },
    errors: [...codeErrors, 'second_factor_exists'],
    handle: async (call) => {
      const { recoveryCodes, device } = await secondFactors.enrolment.confirm(
        accountHolder(call),
        call.body.code,
      );
      return { status: 200, headers: { 'Set-Cookie': [deviceCookie.set(device)] }, body: { recoveryCodes } };
    },
  });

  const confirm = route({
    method: 'post',
    path: `${path}/confirm`,
    operationId: 'confirmSecondFactor',
    summary: 'Confirm your second factor in this session',
    description:
      'A request refused with `second_factor_required` can then be sent again, for the next 10 minutes unless the installation sets another time. Applies to this session only.',
    tag,
    access: 'session',
    compress: false,
    body: z.strictObject({ code }),
    responses: {
      200: { description: 'Confirmed.', schema: z.object({ confirmedAt: timeSchema }) },
    },
    errors: codeErrors,
    handle: async (call) => {
      const { confirmedAt } = await secondFactors.confirm(accountHolder(call), call.body.code);
      return { status: 200, body: { confirmedAt: toTime(confirmedAt) } };
    },
  });

  const renew = route({
    method: 'post',
    path: `${path}/recovery-codes`,
    operationId: 'renewRecoveryCodes',
    summary: 'Create new recovery codes',
    description: 'The earlier ones no longer work.',
    tag,
    access: 'session',
    compress: false,
    body: z.strictObject({ code }),
    responses: { 200: { description: 'The new codes.', schema: recoveryCodesSchema } },
    errors: codeErrors,
    handle: async (call) => ({
      status: 200,
      body: await secondFactors.renewRecoveryCodes(accountHolder(call), call.body.code),
    }),
  });

  const disable = route({
    method: 'post',
    path: `${path}/disable`,
    operationId: 'disableSecondFactor',
    summary: 'Turn your second factor off',
    description: 'In an organization that requires one, you can then only set up another.',
    tag,
    access: 'session',
    compress: false,
    body: z.strictObject({ password, code }),
    responses: { 204: { description: 'Logging in now asks for the password only.' } },
    errors: [...codeErrors, 'password_wrong', 'service_busy'],
    handle: async (call) => {
      await secondFactors.disable(accountHolder(call), call.body);
      return { status: 204 };
    },
  });

  return [read, begin, enrol, confirm, renew, disable];
}
