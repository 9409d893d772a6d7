import type Router from '@koa/router';
import type { Context } from 'koa';
import { readBody } from '../core/server';
import { writeAmount } from './amounts';
import { activate, applyRevision } from './billing';
import { publish } from './events';
import { newId } from './identifiers';
import { findOrder } from './orders';
import { orderResource } from './order-objects';
import { choicePage, messagePage } from './page';
import { notFound } from './problem';
import type { Account, Instrument, Order, Simulation, Subscription } from './state';

/** Adds the payer's pages: for an order, a subscription, and a change of a subscription. No login is needed. */
export function approvalRoutes(simulation: Simulation, router: Router): void {
  const pages = [
    ['/checkoutnow', 'token', orderPage],
    ['/webapps/billing/subscriptions', 'ba_token', subscriptionPage],
    ['/webapps/billing/subscriptions/update', 'ba_token', revisionPage],
  ] as const;
  for (const [path, parameter, find] of pages) {
    router.get(path, (ctx) => {
      const { title, lines, choices } = find(simulation, tokenOf(ctx, parameter));
      html(ctx, choicePage(title, lines, choices));
    });
    router.post(path, async (ctx) => {
      const page = find(simulation, tokenOf(ctx, parameter));
      const choice = new URLSearchParams((await readBody(ctx)).toString('utf8')).get('choice') ?? '';
      if (page.choices[choice] === undefined) {
        html(ctx, messagePage('This choice is not offered.'), 400);
        return;
      }
      leave(ctx, page.choose(choice));
    });
  }
}

interface ApprovalPage {
  title: string;
  lines: readonly string[];
  choices: Readonly<Partial<Record<string, string>>>;
  /** Applies the choice, and returns where the payer goes next. */
  choose(choice: string): { url: string | undefined; query: Record<string, string> };
}

const ORDER_CHOICES = {
  approve: 'Pay',
  approve_echeck: 'Pay with a cheque that clears in three days',
  approve_slow_echeck: 'Pay with a cheque that clears in twelve days',
  approve_declined: 'Pay with a card that will be declined',
  decline: 'Cancel and return',
};
const INSTRUMENTS: Readonly<Partial<Record<string, Instrument>>> = {
  approve: 'wallet',
  approve_echeck: 'echeck',
  approve_slow_echeck: 'slow_echeck',
  approve_declined: 'declined_card',
};

function orderPage(simulation: Simulation, token: string): ApprovalPage {
  const account = accountWith(simulation, ({ orders }) => orders.has(token));
  const order = findOrder(simulation, account, token);
  const open = order.status === 'CREATED' || order.status === 'PAYER_ACTION_REQUIRED';
  return {
    title: 'Approve a payment',
    lines: order.units.map(({ amount, description }) => `${words(amount)} ${description ?? ''}`),
    choices: open ? ORDER_CHOICES : {},
    choose: (choice) => {
      const instrument = INSTRUMENTS[choice];
      if (instrument === undefined) return { url: order.cancelUrl, query: { token } };
      return {
        url: order.returnUrl,
        query: { token, PayerID: approveOrder(simulation, account, order, instrument) },
      };
    },
  };
}

function approveOrder(
  simulation: Simulation,
  account: Account,
  order: Order,
  instrument: Instrument,
): string {
  const payerId = order.payerId ?? newId(13);
  order.payerId = payerId;
  order.instrument = instrument;
  order.status = 'APPROVED';
  publish(simulation, account, {
    type: 'CHECKOUT.ORDER.APPROVED',
    resourceType: 'checkout-order',
    summary: 'An order has been approved by buyer',
    resource: orderResource(account, order),
  });
  return payerId;
}

const SUBSCRIPTION_CHOICES = {
  approve: 'Subscribe with the wallet',
  approve_card: 'Subscribe with a card',
  decline: 'Cancel and return',
};

function subscriptionPage(simulation: Simulation, token: string): ApprovalPage {
  const account = accountWith(simulation, ({ subscriptions }) =>
    [...subscriptions.values()].some((s) => s.token === token),
  );
  const subscription = only([...account.subscriptions.values()].find((s) => s.token === token));
  const query = { subscription_id: subscription.id, ba_token: token, token: token.slice(3) };
  return {
    title: 'Approve a subscription',
    lines: [planWords(account, subscription.planId, subscription.quantity)],
    choices: subscription.status === 'APPROVAL_PENDING' ? SUBSCRIPTION_CHOICES : {},
    choose: (choice) => {
      if (choice === 'decline') return { url: subscription.cancelUrl, query };
      subscription.payerId = newId(13);
      subscription.funding = choice === 'approve_card' ? 'card' : 'wallet';
      activate(simulation, account, subscription);
      return { url: subscription.returnUrl, query };
    },
  };
}

const REVISION_CHOICES = { approve: 'Agree and subscribe', decline: 'Cancel and return' };

function revisionPage(simulation: Simulation, token: string): ApprovalPage {
  const hasIt = (s: Subscription): boolean => s.revision?.token === token;
  const account = accountWith(simulation, ({ subscriptions }) => [...subscriptions.values()].some(hasIt));
  const subscription = only([...account.subscriptions.values()].find(hasIt));
  const revision = only(subscription.revision ?? undefined);
  const query = { subscription_id: subscription.id, ba_token: token, token: token.slice(3) };
  return {
    title: 'Approve a change of your subscription',
    lines: [
      `From: ${planWords(account, subscription.planId, subscription.quantity)}`,
      `To: ${planWords(account, revision.planId, revision.quantity ?? subscription.quantity)}`,
    ],
    choices: subscription.status === 'ACTIVE' ? REVISION_CHOICES : {},
    choose: (choice) => {
      if (choice === 'decline') return { url: revision.cancelUrl, query };
      applyRevision(simulation, account, subscription);
      return { url: revision.returnUrl, query };
    },
  };
}

function accountWith({ accounts }: Simulation, has: (account: Account) => boolean): Account {
  return only([...accounts.values()].find(has));
}

function only<T>(found: T | undefined): T {
  if (found === undefined) throw notFound();
  return found;
}

function planWords(account: Account, planId: string, quantity: number | undefined): string {
  const plan = account.plans.get(planId);
  return plan === undefined ? planId : `${plan.name}, ${words(plan.price)} × ${quantity ?? 1}`;
}

function words(amount: Parameters<typeof writeAmount>[0]): string {
  const { value, currency_code: currency } = writeAmount(amount);
  return `${value} ${currency}`;
}

function tokenOf(ctx: Context, parameter: string): string {
  const token = ctx.query[parameter];
  return typeof token === 'string' ? token : '';
}

function leave(
  ctx: Context,
  { url, query }: { url: string | undefined; query: Record<string, string> },
): void {
  if (url === undefined) {
    html(ctx, messagePage('Done. You can close this page.'));
    return;
  }
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  ctx.status = 303;
  ctx.set('Location', target.href);
}

function html(ctx: Context, page: string, status = 200): void {
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = page;
}
