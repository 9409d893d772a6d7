import type Router from '@koa/router';
import type { Account } from './account';
import { answer, answerPage, type Reply } from './answers';
import { route, type Call } from './calls';
import * as shapes from './parameters';
import { createPlan, findPlan } from './plans';
import { createRefund, getRefund, retryRefund } from './refunds';
import { findSettlement, settlementsOf } from './settlements';
import { createSubscription, disable, enable, findSubscription, getSubscription } from './subscriptions';
import { findTransaction, findTransactionById, initialize } from './transactions';
import { subscriptionAnswer } from './subscription-view';
import { disputeAnswer, planAnswer, refundAnswer, settlementAnswer, transactionAnswer } from './views';

/** Paths of the customers' pages. */
interface PagePaths {
  checkout: string;
  manage: string;
}

/** Adds the original's API: transactions, plans, subscriptions, refunds, disputes, settlements. */
export function routeApi(router: Router, accounts: ReadonlyMap<string, Account>, pages: PagePaths): void {
  const get = (path: string, handle: (call: Call) => Reply): void => {
    route(router, accounts, 'get', path, handle);
  };
  const post = (path: string, handle: (call: Call) => Reply): void => {
    route(router, accounts, 'post', path, handle);
  };
  const { parameters } = shapes;

  post('/transaction/initialize', ({ account, body, origin }) =>
    initialize(account, parameters(shapes.initializeParameters, body), `${origin}${pages.checkout}`),
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
    return answer('Link generated', { link: `${origin}${pages.manage}/${code}?token=${emailToken}` });
  });

  post('/refund', ({ account, body }) => createRefund(account, parameters(shapes.refundParameters, body)));
  post('/refund/retry_with_customer_details/:name', ({ account, name, body }) => {
    parameters(shapes.refundDetailsParameters, body);
    return retryRefund(account, name);
  });
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
