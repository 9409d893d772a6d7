import type { Context } from 'koa';
import { readBody } from '../core/server';
import type { Account } from './account';
import { completeSession } from './checkout';
import { parseForm } from './form';
import { serveInvoicePage } from './invoice-page';
import { page, price } from './page';
import type { CheckoutSession } from './payment-records';

const PATH = /^\/pay\/(cs_[A-Za-z0-9_]+)$/;
const INVOICE_PATH = /^\/invoice\/(in_[A-Za-z0-9_]+)$/;

/** Serves the page where a customer pays, for people and for tests. False if the address is not one of these pages. */
export async function serveHostedPage(ctx: Context, accounts: Iterable<Account>): Promise<boolean> {
  const [, invoice] = INVOICE_PATH.exec(ctx.path) ?? [];
  if (invoice !== undefined) return serveInvoicePage(ctx, accounts, invoice);
  const [, id] = PATH.exec(ctx.path) ?? [];
  if (id === undefined) return false;
  for (const account of accounts) {
    const session = account.objects.get(id);
    if (session?.object !== 'checkout.session') continue;
    if (ctx.method === 'POST') act(ctx, account, session, await chosen(ctx));
    else show(ctx, session);
    return true;
  }
  ctx.status = 404;
  ctx.body = page('Page not found', '<p>There is no such checkout.</p>');
  return true;
}

async function chosen(ctx: Context): Promise<string> {
  const { outcome } = parseForm((await readBody(ctx)).toString('utf8'));
  return typeof outcome === 'string' ? outcome : '';
}

function act(ctx: Context, account: Account, session: CheckoutSession, outcome: string): void {
  switch (outcome) {
    case 'pay':
    case 'authenticated':
      if (completeSession(account, session, 'pays')) {
        leave(ctx, session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id));
      } else show(ctx, session);
      return;
    case 'decline':
      completeSession(account, session, 'declines');
      show(ctx, session, 'Your card was declined.');
      return;
    case 'authenticate':
      showAuthentication(ctx, session);
      return;
    case 'authentication_failed':
      completeSession(account, session, 'requires_authentication');
      show(ctx, session, 'We are unable to authenticate your payment method.');
      return;
    case 'abandon':
      if (session.cancel_url === null) show(ctx, session, 'This checkout has no page to return to.');
      else leave(ctx, session.cancel_url);
      return;
    default:
      ctx.status = 400;
      show(ctx, session, 'Choose what the customer does.');
  }
}

function show(ctx: Context, session: CheckoutSession, notice?: string): void {
  const amount = price(session.amount_total, session.currency);
  const buttons = session.status === 'open' ? CHOICES : '';
  const state = session.status === 'open' ? '' : `<p>This checkout is ${session.status}.</p>`;
  const said = notice === undefined ? '' : `<p role="alert">${escape(notice)}</p>`;
  ctx.type = 'html';
  ctx.body = page('Provider A checkout', `<p>${amount}</p>${said}${state}${buttons}`);
}

function showAuthentication(ctx: Context, session: CheckoutSession): void {
  ctx.type = 'html';
  const choices =
    form('authenticated', 'Confirm with my bank') + form('authentication_failed', 'Fail authentication');
  ctx.body = page('Provider A: your bank asks', `<p>${escape(session.id)}</p>${choices}`);
}

function leave(ctx: Context, address: string): void {
  ctx.status = 303;
  ctx.set('Location', address);
}

const form = (outcome: string, label: string): string =>
  `<form method="post"><button name="outcome" value="${outcome}">${label}</button></form>`;

const CHOICES =
  form('pay', 'Pay') +
  form('decline', 'Pay with a card that is declined') +
  form('authenticate', 'Pay with a card that needs authentication') +
  form('abandon', 'Go back without paying');

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
