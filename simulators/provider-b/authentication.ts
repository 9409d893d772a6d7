import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { readBody } from '../core/server';
import { newId } from './identifiers';
import { answer, AuthenticationProblem } from './problem';
import type { Account, Simulation } from './state';

const TOKEN_LIFE_S = 32_400;

/** Handles `POST /v1/oauth2/token`: Basic authentication, and the grant type in a form. */
export async function issueToken({ accounts, core }: Simulation, ctx: Context): Promise<void> {
  const account = clientOf(accounts, ctx.get('Authorization'));
  if (account === null) throw new AuthenticationProblem('invalid_client', 'Client Authentication failed');
  const form = new URLSearchParams(ctx.is('urlencoded') ? (await readBody(ctx)).toString('utf8') : '');
  if (form.get('grant_type') !== 'client_credentials') {
    throw new AuthenticationProblem('unsupported_grant_type', 'Grant Type is not supported', 400);
  }
  const token = `A21AA${randomBytes(40).toString('base64url')}`;
  account.tokens.set(token, core.clock.real() + TOKEN_LIFE_S * 1000);
  answer(ctx, 200, {
    scope:
      'https://uri.paypal.com/services/payments/payment/authcapture https://uri.paypal.com/services/subscriptions',
    access_token: token,
    token_type: 'Bearer',
    app_id: 'APP-80W284485P519543T',
    expires_in: TOKEN_LIFE_S,
    nonce: `${new Date(core.clock.real()).toISOString()}${newId(22)}`,
  });
}

/** Returns the account of the request's token. @throws AuthenticationProblem invalid_token */
export function accountOf({ accounts, core }: Simulation, ctx: Context): Account {
  const token = /^Bearer (\S+)$/.exec(ctx.get('Authorization'))?.[1];
  for (const account of accounts.values()) {
    const until = token === undefined ? undefined : account.tokens.get(token);
    if (until !== undefined && until > core.clock.real()) return account;
  }
  throw new AuthenticationProblem('invalid_token', 'Token signature verification failed');
}

function clientOf(accounts: ReadonlyMap<string, Account>, authorization: string): Account | null {
  const encoded = /^Basic (\S+)$/i.exec(authorization)?.[1] ?? '';
  const [clientId = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const account = accounts.get(clientId);
  return account !== undefined && equal(secret.join(':'), account.clientSecret) ? account : null;
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
