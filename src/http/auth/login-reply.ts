import { z } from 'zod';
import type { CodeAwaited, LoggedIn } from '../../operators/login';
import { operatorSchema } from '../../operators/operator-resource';
import { timeSchema, toTime } from '../../schemas/instant';
import type { Reply } from '../route';
import type { SessionCookie } from './session-cookie';

export const loggedInSchema = z.object({ operator: operatorSchema });

/** The answer to a log-in that needs a code. */
export const codeAwaitedResponse = {
  description: 'The password is right, and the account has a second factor: no session is opened yet.',
  schema: z
    .object({
      secondFactor: z.object({
        token: z.string().meta({ description: 'For POST /api/auth/login/second-factor.' }),
        expiresAt: timeSchema,
      }),
    })
    .meta({ id: 'SecondFactorAwaited' }),
};

/** @param more further members of the body, next to the operator */
export function loggedInReply(
  { operator, token, device }: LoggedIn,
  cookies: { session: SessionCookie; device: SessionCookie },
  more: Readonly<Record<string, unknown>> = {},
): Reply {
  const { id, email, name, is_platform_administrator: isPlatformAdministrator } = operator;
  return {
    status: 200,
    headers: { 'Set-Cookie': [cookies.session.set(token), cookies.device.set(device)] },
    body: { operator: { id, email, name, isPlatformAdministrator }, ...more },
  };
}

export function codeAwaitedReply({ token, expiresAt }: CodeAwaited): Reply {
  return { status: 202, body: { secondFactor: { token, expiresAt: toTime(expiresAt) } } };
}
