import type Router from '@koa/router';
import type { Context } from 'koa';
import type { Account } from './account';
import { managePage } from './checkout-page';
import type { Subscription } from './records';
import { disable, enable } from './subscriptions';
import { isRenewing } from './subscription-cycle';

/** Adds the page behind a subscription's link, where its customer stops or resumes the renewal. */
export function routeManage(router: Router, path: string, accounts: ReadonlyMap<string, Account>): void {
  router.register(`${path}/:code`, ['get', 'post'], (ctx: Context & { params: Record<string, string> }) => {
    const code = ctx.params['code'] ?? '';
    const token = new URLSearchParams(ctx.querystring).get('token') ?? '';
    const found = find(accounts, code, token);
    ctx.status = found === undefined ? 404 : 200;
    ctx.type = 'html';
    ctx.body =
      found === undefined ? 'There is no such subscription.' : answer(ctx.method, found, { code, token });
  });
}

interface Found {
  account: Account;
  subscription: Subscription;
}

function answer(
  method: string,
  { account, subscription }: Found,
  key: { code: string; token: string },
): string {
  if (method === 'POST' && isRenewing(subscription)) disable(account, key);
  else if (method === 'POST' && subscription.status === 'non-renewing') enable(account, key);
  return managePage(subscription);
}

function find(accounts: ReadonlyMap<string, Account>, code: string, token: string): Found | undefined {
  for (const account of accounts.values()) {
    const subscription = account.subscriptions.get(code);
    if (subscription?.emailToken === token) return { account, subscription };
  }
  return undefined;
}
