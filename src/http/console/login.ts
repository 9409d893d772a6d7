import { z } from 'zod';
import { emailAddress, line, text } from '../../schemas/text';
import type { Services } from '../../service/services';
import { createDeviceCookie, createSessionCookie } from '../auth/session-cookie';
import { codeAwaitedReply, codeAwaitedResponse, loggedInReply, loggedInSchema } from '../auth/login-reply';
import { userAgentOf } from '../auth/user-agent';
import { route, type Route } from '../route';
import { code } from './second-factor';

const tag = 'Authentication';

/** Routes to log in: the password, and a code if the account has a second factor. */
export function loginRoutes({ operators, urls }: Services): Route[] {
  const cookies = { session: createSessionCookie(urls.console), device: createDeviceCookie(urls.console) };
  const originOf = (headers: Readonly<Record<string, string | string[] | undefined>>) => ({
    replaces: cookies.session.read(headers),
    device: cookies.device.read(headers),
    userAgent: userAgentOf(headers),
  });

  const login = route({
    method: 'post',
    path: '/api/auth/login',
    operationId: 'logIn',
    summary: 'Log in',
    description:
      'Opens a new session and sets its cookie; for an account with a second factor the answer is 202, and the log-in continues with a code. Limit: 10 attempts for one account from one IP address in 15 minutes; a browser that has logged in before has its own limit.',
    tag,
    access: 'public',
    compress: false,
    admission: ({ ip, headers }) => operators.proof.admit(ip, cookies.device.read(headers)),
    body: z.strictObject({ email: emailAddress, password: text({ min: 1, max: 400 }) }),
    responses: {
      200: { description: 'Logged in; the cookie is set.', schema: loggedInSchema },
      202: codeAwaitedResponse,
    },
    errors: ['login_failed', 'login_throttled', 'service_busy', 'origin_forbidden'],
    handle: async ({ body, headers, ip, requestId, charge }) => {
      const result = await operators.login.begin({ ...body, ...originOf(headers), ip, requestId, charge });
      return result.kind === 'logged_in' ? loggedInReply(result, cookies) : codeAwaitedReply(result);
    },
  });

  const finish = route({
    method: 'post',
    path: '/api/auth/login/second-factor',
    operationId: 'finishLogIn',
    summary: 'Log in: second factor',
    description:
      'Takes the `token` of a log-in that was answered 202, for 5 minutes. A code works once. Limit: 10 wrong codes for one account in 15 minutes and 50 in a day; a browser that has logged in before has its own limit.',
    tag,
    access: 'public',
    compress: false,
    admission: ({ ip, headers }) => operators.proof.admit(ip, cookies.device.read(headers)),
    body: z.strictObject({ token: line({ min: 1, max: 200 }), code }),
    responses: { 200: { description: 'Logged in; the cookie is set.', schema: loggedInSchema } },
    errors: [
      'login_challenge_invalid',
      'second_factor_not_enrolled',
      'second_factor_failed',
      'login_throttled',
      'key_unavailable',
      'credential_corrupt',
      'origin_forbidden',
    ],
    handle: async ({ body, headers, ip, requestId, charge }) => {
      const result = await operators.login.finish({ ...body, ...originOf(headers), ip, requestId, charge });
      return loggedInReply(result, cookies);
    },
  });

  return [login, finish];
}
