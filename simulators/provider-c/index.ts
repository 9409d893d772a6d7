import Router from '@koa/router';
import Koa from 'koa';
import { meetFaults } from '../core/faults';
import type { Books } from '../core/books';
import type { SimulatorCore } from '../core/types';
import { Account, type RefundEnd } from './account';
import { Refusal } from './answers';
import { booksOf } from './books';
import { answerBanks } from './checkout';
import { routeCheckout } from './checkout-routes';
import { openDispute, resolveDispute } from './disputes';
import { routeManage } from './manage-routes';
import * as shapes from './parameters';
import { createPlan } from './plans';
import { settleCharge } from './subscription-cycle';
import { routeApi } from './api-routes';

const PAGES_PATH = '/checkout';
const MANAGE_PATH = '/manage';

interface AccountSeed {
  /** Begins with `sk_test_` or `sk_live_`, which determines the mode. */
  secretKey: string;
  webhookUrl?: string | null;
  plans?: readonly {
    code: string;
    name: string;
    amount: number;
    currency: string;
    interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'biannually' | 'annually';
    invoice_limit?: number;
  }[];
}

/** Actions of the original's dashboard and of the banks. */
export interface AccountControls {
  setWebhookUrl(url: string | null): void;
  /**
   * Sets whether the saved cards of this e-mail address accept charges from now on, or leave them pending until
   * `settleCharges`. Returns their number.
   */
  setCards(email: string, charges: 'succeed' | 'decline' | 'pend'): number;
  /** Has the banks answer the pending payments of pages, and the pending charges of renewals. */
  settleCharges(outcome: 'succeed' | 'decline'): void;
  setRefundsEnd(end: RefundEnd): void;
  /** Opens a customer's dispute of a payment. Returns the dispute's number. @throws RangeError */
  dispute(reference: string): number;
  /** @throws RangeError */
  resolveDispute(dispute: number, outcome: 'won' | 'lost'): void;
  /** Returns the account's money movements, by its own records. */
  books(): Books;
  /** Sets the delay between a payment and the creation of its subscription, on the simulator's clock. */
  setSubscriptionDelay(ms: number): void;
  /** Sets whether stopped renewals can be resumed. */
  setResumes(resumes: boolean): void;
}

export interface ProviderC {
  app: Koa;
  /**
   * Adds an account; the seed of a known key sets its webhook address and adds plans.
   *
   * @throws RangeError when its key is malformed
   */
  account(seed: AccountSeed): AccountControls;
  /** @throws RangeError when no account has this key */
  controls(secretKey: string): AccountControls;
}

/** Creates provider C: a regional processor with hosted payment pages, whose subscriptions have e-mail tokens. */
export function providerC(core: SimulatorCore): ProviderC {
  const accounts = new Map<string, Account>();
  core.persistence.keep('provider-c', accounts);
  core.persistence.instances('c.Account', Account, () => new Account(core, '', null, 0));
  const router = new Router();
  routeCheckout(router, PAGES_PATH, accounts);
  routeManage(router, MANAGE_PATH, accounts);
  routeApi(router, accounts, { checkout: PAGES_PATH, manage: MANAGE_PATH });
  const app = new Koa();
  const { body: failed } = new Refusal(500, 'api_error', 'An error occurred');
  const { body: tooMany } = new Refusal(429, 'rate_limited', 'Too many requests');
  app.use(meetFaults(core, 'c', { failed, tooMany }));
  app.use(router.routes());
  app.use((ctx) => {
    if (ctx.status === 404 && ctx.body === undefined) {
      ctx.status = 404;
      ctx.body = new Refusal(404, 'not_found', 'Path not found').body;
    }
  });
  return {
    app,
    account: (seed) => addAccount(core, accounts, seed),
    controls: (secretKey) => {
      const account = accounts.get(secretKey);
      if (account === undefined) throw new RangeError('No account has this secret key.');
      return controlsOf(account);
    },
  };
}

function addAccount(core: SimulatorCore, accounts: Map<string, Account>, seed: AccountSeed): AccountControls {
  const { secretKey, webhookUrl = null, plans = [] } = seed;
  if (!/^sk_(?:test|live)_\w+$/.test(secretKey)) {
    throw new RangeError('An account needs a secret key, sk_test_… or sk_live_….');
  }
  const account = accounts.get(secretKey) ?? new Account(core, secretKey, null, accounts.size);
  account.webhookUrl = webhookUrl;
  for (const { code, ...plan } of plans) {
    // An existing plan is not changed, because subscriptions use it.
    if (account.plans.has(code)) continue;
    createPlan(account, shapes.parameters(shapes.planParameters, plan), code);
  }
  accounts.set(secretKey, account);
  return controlsOf(account);
}

function controlsOf(account: Account): AccountControls {
  return {
    setWebhookUrl: (url) => {
      account.webhookUrl = url;
    },
    setCards: (email, charges) => {
      const cards = account.customers.get(email)?.authorizations ?? [];
      for (const card of cards)
        Object.assign(card, { declines: charges === 'decline', isSlow: charges === 'pend' });
      return cards.length;
    },
    settleCharges: (outcome) => {
      answerBanks(account, outcome === 'succeed');
      for (const subscription of account.subscriptions.values())
        settleCharge(account, subscription, outcome === 'succeed');
    },
    setRefundsEnd: (end) => {
      account.refundsEnd = end;
    },
    dispute: (reference) => openDispute(account, reference).id,
    resolveDispute: (dispute, outcome) => {
      resolveDispute(account, dispute, outcome);
    },
    books: () => booksOf(account),
    setSubscriptionDelay: (ms) => {
      account.subscriptionDelayMs = ms;
    },
    setResumes: (resumes) => {
      account.resumes = resumes;
    },
  };
}
