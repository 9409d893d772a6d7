import type Router from '@koa/router';
import type { Context } from 'koa';
import { readBody } from '../core/server';
import type { Account } from './account';
import { cancelUrl, decline, findByAccessCode, isOpen, pay, payByBank, returnUrl } from './checkout';
import { authenticationPage, checkoutPage, closingPage, notice } from './checkout-page';
import type { Transaction } from './records';

/** Adds the hosted pages. They need no key: the access code identifies the customer. */
export function routeCheckout(router: Router, path: string, accounts: ReadonlyMap<string, Account>): void {
  router.get(`${path}/:accessCode`, (ctx: Context & { params: Record<string, string> }) => {
    const found = find(accounts, ctx.params['accessCode'] ?? '');
    if (found === undefined) show(ctx, 404, closingPage('There is no such payment.'));
    else if (isOpen(found.transaction)) show(ctx, 200, checkoutPage(found.transaction, ''));
    else show(ctx, 200, closingPage(overMessage(found.transaction)));
  });
  router.post(`${path}/:accessCode`, async (ctx: Context & { params: Record<string, string> }) => {
    const found = find(accounts, ctx.params['accessCode'] ?? '');
    if (found === undefined) show(ctx, 404, closingPage('There is no such payment.'));
    else if (!isOpen(found.transaction)) show(ctx, 409, closingPage(overMessage(found.transaction)));
    else {
      const form = new URLSearchParams((await readBody(ctx)).toString('utf8'));
      act(ctx, found, form.get('act') ?? '');
    }
  });
}

function overMessage({ status }: Transaction): string {
  return status === 'pending' ? 'Your bank has the payment.' : 'This has been paid.';
}

interface Found {
  account: Account;
  transaction: Transaction;
}

function act(ctx: Context, { account, transaction }: Found, name: string): void {
  switch (name) {
    case 'pay':
    case 'pay_once':
      pay(account, transaction, name === 'pay' ? 'succeed' : 'decline');
      sendTo(ctx, returnUrl(transaction), 'Thank you. The payment succeeded.');
      return;
    case 'pay_by_bank':
      payByBank(transaction);
      sendTo(ctx, returnUrl(transaction), 'Thank you. Your bank has the payment.');
      return;
    case 'decline':
      decline(transaction);
      show(ctx, 402, checkoutPage(transaction, notice('The card was declined. Try another one.')));
      return;
    case 'authenticate':
      show(ctx, 200, authenticationPage(transaction));
      return;
    case 'abandon':
      sendTo(ctx, cancelUrl(transaction) ?? returnUrl(transaction), 'The payment was not made.');
      return;
    default:
      show(ctx, 400, checkoutPage(transaction, notice('Choose one of these.')));
  }
}

function sendTo(ctx: Context, url: string | null, message: string): void {
  if (url === null) show(ctx, 200, closingPage(message));
  else {
    ctx.status = 303;
    ctx.set('location', url);
  }
}

function show(ctx: Context, status: number, html: string): void {
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = html;
}

function find(accounts: ReadonlyMap<string, Account>, accessCode: string): Found | undefined {
  for (const account of accounts.values()) {
    const transaction = findByAccessCode(account, accessCode);
    if (transaction !== undefined) return { account, transaction };
  }
  return undefined;
}
