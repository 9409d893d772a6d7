import type { Context } from 'koa';
import type { Account } from './account';
import { page, price } from './page';
import { payOpenInvoices } from './renewal';

/** Serves the page of an invoice, where its customer pays with a card that works from then on. */
export function serveInvoicePage(ctx: Context, accounts: Iterable<Account>, id: string): true {
  ctx.type = 'html';
  for (const account of accounts) {
    const invoice = account.objects.get(id);
    if (invoice?.object !== 'invoice') continue;
    if (ctx.method === 'POST' && invoice.status === 'open') {
      account.cards.set(invoice.customer, 'pays');
      const { subscription } = invoice.parent.subscription_details;
      payOpenInvoices(account, account.get('subscription', subscription));
    }
    const amount = `<p>${price(invoice.amount_due, invoice.currency)}</p>`;
    const button = '<form method="post"><button name="outcome" value="pay">Pay</button></form>';
    ctx.body = page('Provider A invoice', amount + (invoice.status === 'open' ? button : '<p>Paid.</p>'));
    return true;
  }
  ctx.status = 404;
  ctx.body = page('Page not found', '<p>There is no such invoice.</p>');
  return true;
}
