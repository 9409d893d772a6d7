import Router from '@koa/router';
import Koa from 'koa';
import { meetFaults } from '../core/faults';
import type { Books } from '../core/books';
import type { SimulatorCore } from '../core/types';
import { Account, type RefundEnd } from './account';
import { answer, answerPage, Refusal, type Reply } from './answers';
import { booksOf } from './books';
import { route, type Call } from './calls';
import { routeCheckout } from './checkout-routes';
import { openDispute, resolveDispute } from './disputes';
import { routeManage } from './manage-routes';
import * as shapes from './parameters';
import { createPlan, findPlan } from './plans';
import { createRefund, getRefund } from './refunds';
import { findSettlement, settlementsOf } from './settlements';
import { createSubscription, disable, enable, findSubscription, getSubscription } from './subscriptions';
import { findTransaction, findTransactionById, initialize } from './transactions';
import { subscriptionAnswer } from './subscription-view';
import { disputeAnswer, planAnswer, refundAnswer, settlementAnswer, transactionAnswer } from './views';

const PAGES_PATH = '/checkout';
const MANAGE_PATH = '/manage';

interface AccountSeed {
  /** Begins with `sk_test_` or `sk_live_`, which decides the mode. */
  secretKey: string;
  webhookUrl?: string | null;
  plans?: readonly {
    code: string;
    name: string;
    amount: number;
    currency: string;
    interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'biannually' | 'annually';
  }[];
}

/** What the dashboard and the banks do in the original. */
export interface AccountControls {
  setWebhookUrl(url: string | null): void;
  /** Whether the saved cards of this e-mail address take charges from now on. Answers how many there are. */
  setCards(email: string, charges: 'succeed' | 'decline'): number;
  setRefundsEnd(end: RefundEnd): void;
  /** A customer disputes a payment. Answers the dispute's number. @throws RangeError */
  dispute(reference: string): number;
  /** @throws RangeError */
  resolveDispute(dispute: number, outcome: 'won' | 'lost'): void;
  /** What its money did, by its own records. */
  books(): Books;
  /** How long after its payment a subscription is made from now on, on the simulator's clock. */
  setSubscriptionDelay(ms: number): void;
}

export interface ProviderC {
  app: Koa;
  /** Adds an account; the seed of a known key sets its webhook address and adds plans. @throws RangeError when its key is none */
  account(seed: AccountSeed): AccountControls;
  /** @throws RangeError when no account has this key */
  controls(secretKey: string): AccountControls;
}

/** Provider C: the regional processor whose customers pay on its pages, and whose subscriptions have e-mail tokens. */
export function providerC(core: SimulatorCore): ProviderC {
  const accounts = new Map<string, Account>();
  core.persistence.keep('provider-c', accounts);
  core.persistence.instances('c.Account', Account, () => new Account(core, '', null, 0));
  const router = new Router();
  routeCheckout(router, PAGES_PATH, accounts);
  routeManage(router, MANAGE_PATH, accounts);
  routeApi(router, accounts);
  const app = new Koa();
  const broken = new Refusal(500, 'api_error', 'An error occurred');
  app.use(meetFaults(core, 'c', broken.body));
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
    // A plan that is there stays as it is: subscriptions have it.
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
      for (const card of cards) card.declines = charges === 'decline';
      return cards.length;
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
  };
}

function routeApi(router: Router, accounts: ReadonlyMap<string, Account>): void {
  const get = (path: string, handle: (call: Call) => Reply): void => {
    route(router, accounts, 'get', path, handle);
  };
  const post = (path: string, handle: (call: Call) => Reply): void => {
    route(router, accounts, 'post', path, handle);
  };
  const { parameters } = shapes;

  post('/transaction/initialize', ({ account, body, origin }) =>
    initialize(account, parameters(shapes.initializeParameters, body), `${origin}${PAGES_PATH}`),
  );
  get('/transaction', ({ account, query }) => {
    const {
      customer,
      status,
      amount,
      from = 0,
      to = Infinity,
      ...page
    } = parameters(shapes.transactionsQuery, query);
    const found = [...account.transactions.values()].filter(
      (transaction) =>
        (customer ?? transaction.customer.id) === transaction.customer.id &&
        (status ?? transaction.status) === transaction.status &&
        (amount ?? transaction.amount) === transaction.amount &&
        transaction.createdAt >= from &&
        transaction.createdAt <= to,
    );
    return answerPage('Transactions retrieved', found, page, (one) => transactionAnswer(account, one));
  });
  get('/transaction/verify/:name', ({ account, name }) =>
    answer('Verification successful', transactionAnswer(account, findTransaction(account, name))),
  );
  get('/transaction/:name', ({ account, name }) =>
    answer('Transaction retrieved', transactionAnswer(account, findTransactionById(account, name))),
  );

  post('/plan', ({ account, body }) => {
    const plan = createPlan(account, parameters(shapes.planParameters, body));
    return { ...answer('Plan created', planAnswer(account, plan)), status: 201 };
  });
  get('/plan', ({ account, query }) =>
    answerPage('Plans retrieved', [...account.plans.values()], parameters(shapes.pageQuery, query), (plan) =>
      planAnswer(account, plan),
    ),
  );
  get('/plan/:name', ({ account, name }) =>
    answer('Plan retrieved', planAnswer(account, findPlan(account, name))),
  );

  post('/subscription', ({ account, body }) =>
    createSubscription(account, parameters(shapes.subscriptionParameters, body)),
  );
  post('/subscription/disable', ({ account, body }) =>
    disable(account, parameters(shapes.tokenParameters, body)),
  );
  post('/subscription/enable', ({ account, body }) =>
    enable(account, parameters(shapes.tokenParameters, body)),
  );
  get('/subscription', ({ account, query }) => {
    const { customer, plan, ...page } = parameters(shapes.subscriptionsQuery, query);
    const found = [...account.subscriptions.values()].filter(
      (s) => (customer ?? s.customer.id) === s.customer.id && (plan ?? s.plan.id) === s.plan.id,
    );
    return answerPage('Subscriptions retrieved', found, page, (s) => subscriptionAnswer(account, s));
  });
  get('/subscription/:name', ({ account, name }) => getSubscription(account, name));
  get('/subscription/:name/manage/link', ({ account, name, origin }) => {
    const { code, emailToken } = findSubscription(account, name);
    return answer('Link generated', { link: `${origin}${MANAGE_PATH}/${code}?token=${emailToken}` });
  });

  post('/refund', ({ account, body }) => createRefund(account, parameters(shapes.refundParameters, body)));
  get('/refund', ({ account, query }) => {
    const {
      transaction,
      currency,
      from = 0,
      to = Infinity,
      ...page
    } = parameters(shapes.refundsQuery, query);
    const found = [...account.refunds.values()].filter(
      ({ transaction: of, createdAt }) =>
        (transaction ?? String(of.id)) === String(of.id) &&
        (currency ?? of.currency) === of.currency &&
        createdAt >= from &&
        createdAt <= to,
    );
    return answerPage('Refunds retrieved', found, page, (refund) => refundAnswer(account, refund));
  });
  get('/refund/:name', ({ account, name }) => getRefund(account, name));

  get('/dispute', ({ account, query }) => {
    const { transaction, status, from = 0, to = Infinity, ...page } = parameters(shapes.disputesQuery, query);
    const found = [...account.disputes.values()].filter(
      ({ transaction: of, resolution, createdAt }) =>
        (transaction ?? of.id) === of.id &&
        (status === undefined || (status === 'resolved') === (resolution !== null)) &&
        createdAt >= from &&
        createdAt <= to,
    );
    return answerPage('Disputes retrieved', found, page, (dispute) => disputeAnswer(account, dispute));
  });

  get('/settlement', ({ account, query }) => {
    const wanted = parameters(shapes.settlementsQuery, query);
    return answerPage('Settlements retrieved', settlementsOf(account, wanted), wanted, (settlement) =>
      settlementAnswer(account, settlement),
    );
  });
  get('/settlement/:name/transactions', ({ account, name, query }) =>
    answerPage(
      'Transactions retrieved',
      findSettlement(account, name).transactions,
      parameters(shapes.pageQuery, query),
      (transaction) => transactionAnswer(account, transaction),
    ),
  );
}
