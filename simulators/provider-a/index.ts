import Koa from 'koa';
import { meetFaults } from '../core/faults';
import type { Books } from '../core/books';
import type { SimulatorCore } from '../core/types';
import { Account } from './account';
import { answerDebits } from './bank-debits';
import { booksOf } from './books';
import { createPrice } from './catalogue';
import { createCustomer } from './customers';
import { closeDispute, escalateInquiry, openDispute } from './disputes';
import { failPayout, makePayouts, type PayoutManner } from './payouts';
import { pay } from './payments';
import type { Card } from './billing-records';
import type { RefundHold } from './payment-records';
import { serveHostedPage } from './hosted-page';
import { keepFailure } from './idempotency';
import { accountOf, serveApi } from './serve-api';
import { payAtOnce, payOpenInvoices } from './renewal';
import { settleRefund } from './refunds';
import { createWebhookEndpoint, rollSecret } from './webhook-endpoints';

/** The API version of the pinned client. */
const API_VERSION = '2026-10-28.endive';

export interface AccountSeed {
  /** `sk_test_…` or `sk_live_…`: the key contains the mode. */
  secretKey: string;
  webhookUrl?: string | undefined;
  webhookSecret?: string | undefined;
  /** API version of the webhook's objects; the account's version if omitted. */
  webhookApiVersion?: string | undefined;
}

/** Operations on an account outside its API, for tests and people. */
interface SeededAccount {
  id: string;
  endpointId: string | null;
  price(of: {
    id?: string | undefined;
    unitAmount: number;
    currency: string;
    interval?: 'day' | 'week' | 'month' | 'year' | undefined;
    intervalCount?: number | undefined;
    product?: string | undefined;
    /** Amounts in further currencies, by their lower-case codes. */
    currencyOptions?: Record<string, { unit_amount: number }> | undefined;
  }): string;
  customer(email: string, card?: Card): string;
  setCard(customer: string, card: Card): void;
  /** Lets the banks answer all debits that are `processing`. */
  answerDebits(answer: 'succeeded' | 'failed'): void;
  /** Pays a subscription's open invoices with another card, as its customer on the provider's own page. */
  payOpenInvoices(subscription: string): void;
  /** Pays them with one payment, as the merchant who attaches a bank transfer to all of them. */
  payAtOnce(subscription: string): void;
  /** Sets the currency of the country in which customers open the hosted page. */
  setLocalCurrency(currency: string | null): void;
  /** Sets whether new refunds wait for `settleRefund`, and for what. */
  setRefundsPending(pending: boolean | RefundHold): void;
  /** Sets for how long renewals' invoices are drafts before they are charged: 0 unless set, one hour at the original. */
  setDraftHours(hours: number): void;
  /** Sets what becomes of a subscription whose invoice is not paid after the last attempt: it ends unless set. */
  setAfterRetries(state: Account['afterRetries']): void;
  /** Sets what the account's restricted key may not do, such as `dispute_read`; a call that needs it is refused. */
  withhold(permissions: readonly string[]): void;
  settleRefund(refund: string, status: 'succeeded' | 'failed'): void;
  /** Pays out everything that no payout contains yet, per currency. @param by how the payouts are made */
  payOut(by?: PayoutManner): string[];
  /** Returns a payout, as the bank does. */
  failPayout(payout: string): void;
  /** Disputes a charge. @param of a part of it, or an inquiry, which takes no money yet */
  dispute(charge: string, of?: Parameters<typeof openDispute>[2]): string;
  /** Turns an inquiry into a dispute. */
  escalateInquiry(dispute: string): void;
  closeDispute(dispute: string, status: 'won' | 'lost' | 'warning_closed'): void;
  rollWebhookSecret(): string;
  /** Makes a payment outside the API. Minor units, in US dollars. */
  charge(customer: string, amount: number): string;
  /** Returns the account's money movements, by its own records. */
  books(): Books;
  /** Returns the ids of all checkout sessions. */
  sessions(): string[];
  /** Deletes idempotency keys, as the original does after a day. */
  forgetKeys(): void;
}

export interface ProviderA {
  app: Koa;
  /** Creates an account; the seed of a known key gives its endpoint another address. */
  account(seed: AccountSeed): SeededAccount;
}

/** Creates provider A on loopback: its API, its hosted payment page, and its webhooks. */
export function providerA(core: SimulatorCore, options: { apiVersion?: string } = {}): ProviderA {
  const accounts = new Map<string, Account>();
  core.persistence.keep('provider-a', accounts);
  core.persistence.instances('a.Account', Account, () => new Account(core, '', ''));
  const app = new Koa();
  app.on('error', () => undefined);
  app.use((ctx, next) => keepFailure(ctx, next, (authorization) => accountOf(accounts, authorization)));
  app.use(
    meetFaults(core, 'a', {
      failed: { error: { type: 'api_error', message: 'An error occurred with our connection.' } },
      tooMany: {
        error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded.' },
      },
    }),
  );
  app.use(async (ctx) => {
    if (!(await serveHostedPage(ctx, accounts.values()))) await serveApi(ctx, accounts);
  });
  return {
    app,
    account: (seed) => {
      const known = accounts.get(seed.secretKey);
      const account = known ?? new Account(core, seed.secretKey, options.apiVersion ?? API_VERSION);
      accounts.set(seed.secretKey, account);
      return seedAccount(account, seed);
    },
  };
}

function seedAccount(account: Account, seed: AccountSeed): SeededAccount {
  const { webhookUrl: url, webhookSecret: secret, webhookApiVersion: apiVersion } = seed;
  if (url !== undefined) {
    const endpoint = account.all('webhook_endpoint').find(({ id }) => id === account.endpointId);
    // An account that changes its webhook address keeps its endpoint and secrets.
    if (endpoint !== undefined) endpoint.url = url;
    else account.endpointId = createWebhookEndpoint(account, { url, secret, apiVersion }).id;
  }
  const { endpointId } = account;
  return {
    id: account.id,
    endpointId,
    price: ({ id, unitAmount, currency, currencyOptions, interval, intervalCount, product = 'prod_demo' }) =>
      // An existing price is not changed, because subscriptions use it.
      account.all('price').find((price) => price.id === id)?.id ??
      createPrice(account, {
        id,
        unit_amount: unitAmount,
        currency,
        currency_options: currencyOptions,
        product,
        recurring: interval && { interval, interval_count: intervalCount },
      }).id,
    customer: (email, card = 'pays') => {
      const { id } = createCustomer(account, email);
      account.cards.set(id, card);
      return id;
    },
    setCard: (customer, card) => void account.cards.set(account.get('customer', customer).id, card),
    answerDebits: (answer) => {
      answerDebits(account, answer);
    },
    payOpenInvoices: (id) => {
      const subscription = account.get('subscription', id);
      account.cards.set(subscription.customer, 'pays');
      payOpenInvoices(account, subscription);
    },
    payAtOnce: (id) => {
      payAtOnce(account, account.get('subscription', id));
    },
    setLocalCurrency: (currency) => {
      account.localCurrency = currency;
    },
    setRefundsPending: (pending) => {
      account.refundsStayPending = pending;
    },
    setDraftHours: (hours) => {
      account.draftHours = hours;
    },
    setAfterRetries: (state) => {
      account.afterRetries = state;
    },
    withhold: (permissions) => {
      account.withheld.clear();
      for (const permission of permissions) account.withheld.add(permission);
    },
    settleRefund: (refund, status) => void settleRefund(account, refund, status),
    payOut: (by) => makePayouts(account, by).map(({ id }) => id),
    failPayout: (payout) => {
      failPayout(account, account.get('payout', payout));
    },
    dispute: (charge, of) => openDispute(account, charge, of).id,
    escalateInquiry: (dispute) => void escalateInquiry(account, dispute),
    closeDispute: (dispute, status) => void closeDispute(account, dispute, status),
    rollWebhookSecret: () => {
      if (endpointId === null) throw new Error('This account has no webhook endpoint.');
      return rollSecret(account, endpointId);
    },
    charge: (customer, amount) =>
      pay(account, { amount, currency: 'usd', customer, metadata: {} }, 'pays').id,
    books: () => booksOf(account),
    sessions: () => account.all('checkout.session').map(({ id }) => id),
    forgetKeys: () => {
      account.idempotency.clear();
    },
  };
}
