import Koa from 'koa';
import { meetFaults } from '../core/faults';
import type { SimulatorCore } from '../core/types';
import { Account } from './account';
import { createPrice } from './catalogue';
import { createCustomer } from './customers';
import { makePayouts, openDispute } from './payouts';
import type { Card } from './records';
import { serveHostedPage } from './hosted-page';
import { serveApi } from './serve-api';
import { settleRefund } from './refunds';
import { createWebhookEndpoint, rollSecret } from './webhook-endpoints';

/** The version that the pinned client speaks. */
const API_VERSION = '2026-10-28.endive';

export interface AccountSeed {
  /** `sk_test_…` or `sk_live_…`: the mode is in the key. */
  secretKey: string;
  webhookUrl?: string | undefined;
  webhookSecret?: string | undefined;
  /** How the webhook's objects are rendered; the account's version when it is left out. */
  webhookApiVersion?: string | undefined;
}

/** What a test or a person can do to an account beside its API. */
interface SeededAccount {
  id: string;
  endpointId: string | null;
  price(of: {
    id?: string | undefined;
    unitAmount: number;
    currency: string;
    interval?: 'day' | 'week' | 'month' | 'year' | undefined;
    product?: string | undefined;
  }): string;
  customer(email: string, card?: Card): string;
  setCard(customer: string, card: Card): void;
  setRefundsPending(pending: boolean): void;
  settleRefund(refund: string, status: 'succeeded' | 'failed'): void;
  payOut(): string[];
  dispute(charge: string): string;
  rollWebhookSecret(): string;
}

export interface ProviderA {
  app: Koa;
  account(seed: AccountSeed): SeededAccount;
}

/** Provider A on loopback: its API, its hosted payment page, and its webhooks. */
export function providerA(core: SimulatorCore, options: { apiVersion?: string } = {}): ProviderA {
  const accounts = new Map<string, Account>();
  const seeded = new Map<string, SeededAccount>();
  const app = new Koa();
  app.on('error', () => undefined);
  app.use(
    meetFaults(core, 'a', {
      error: { type: 'api_error', message: 'An error occurred with our connection.' },
    }),
  );
  app.use(async (ctx) => {
    if (!(await serveHostedPage(ctx, accounts.values()))) await serveApi(ctx, accounts);
  });
  return {
    app,
    account: (seed) => {
      const known = seeded.get(seed.secretKey);
      if (known !== undefined) return known;
      const account = new Account(core, seed.secretKey, options.apiVersion ?? API_VERSION);
      accounts.set(seed.secretKey, account);
      const made = seedAccount(account, seed);
      seeded.set(seed.secretKey, made);
      return made;
    },
  };
}

function seedAccount(account: Account, seed: AccountSeed): SeededAccount {
  const { webhookUrl: url, webhookSecret: secret, webhookApiVersion: apiVersion } = seed;
  const endpointId =
    url === undefined ? null : createWebhookEndpoint(account, { url, secret, apiVersion }).id;
  return {
    id: account.id,
    endpointId,
    price: ({ id, unitAmount, currency, interval, product = 'prod_demo' }) =>
      createPrice(account, {
        id,
        unit_amount: unitAmount,
        currency,
        product,
        recurring: interval === undefined ? undefined : { interval },
      }).id,
    customer: (email, card = 'pays') => {
      const { id } = createCustomer(account, email);
      account.cards.set(id, card);
      return id;
    },
    setCard: (customer, card) => void account.cards.set(account.get('customer', customer).id, card),
    setRefundsPending: (pending) => {
      account.refundsStayPending = pending;
    },
    settleRefund: (refund, status) => void settleRefund(account, refund, status),
    payOut: () => makePayouts(account).map(({ id }) => id),
    dispute: (charge) => openDispute(account, charge).id,
    rollWebhookSecret: () => {
      if (endpointId === null) throw new Error('This account has no webhook endpoint.');
      return rollSecret(account, endpointId);
    },
  };
}
