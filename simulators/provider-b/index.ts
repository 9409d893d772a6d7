import Router from '@koa/router';
import Koa from 'koa';
import { meetFaults } from '../core/faults';
import type { Books } from '../core/books';
import type { SimulatorCore } from '../core/types';
import { seedAccount, type AccountSeed } from './account';
import { actOn } from './acts';
import { approvalRoutes } from './approval-pages';
import { issueToken } from './authentication';
import { booksOf } from './books';
import { captureRoutes } from './captures';
import { disputeRoutes, openDispute, resolveDispute } from './disputes';
import { publish } from './events';
import { orderRoutes } from './orders';
import { answerCheques } from './payments';
import { planRoutes } from './plans';
import { answerProblems, newDebugId } from './problem';
import { refundRoutes } from './refunds';
import { reportRoutes } from './reports';
import { saleRoutes } from './sales';
import type { Account, AccountSwitches, Simulation, Webhook } from './state';
import { subscriptionRoutes } from './subscriptions';
import { subscriptionTransactionRoutes } from './subscription-transactions';
import { createSigner } from './transmission';
import { webhookRoutes } from './webhook-routes';

/** Operations on one account outside the API, for tests and people. */
export interface AccountHandle {
  switches: AccountSwitches;
  /** The registered webhooks; more can be added. */
  webhooks: Webhook[];
  /** Revokes every access token now. */
  revokeTokens(): void;
  /** Opens a payer's dispute of a subscription payment. Returns the dispute's id. @throws RangeError */
  dispute(sale: string): string;
  /** Resolves a dispute. @throws RangeError */
  resolveDispute(dispute: string, outcome: 'won' | 'lost'): void;
  /** Has the banks answer all cheques of subscriptions. */
  answerCheques(outcome: 'clear' | 'return'): void;
  /** Returns the account's money movements, by its own records. */
  books(): Books;
  /** Sends an event of any type to the account's webhooks, signed like all others. Returns its id. */
  send(event: { type: string; resourceType: string; summary: string; resource: unknown }): string;
  /** Returns the headers for sending these bytes to this webhook: a genuine signature over any body. */
  sign(webhookId: string, body: Buffer): Record<string, string>;
}

export interface ProviderB {
  app: Koa;
  /** Creates an account; the seed of a known client adds its webhooks and plans. */
  account(seed: AccountSeed): AccountHandle;
  /** Does the same from JSON and returns JSON. @throws ZodError */
  seed(json: unknown): { clientId: string; merchantId: string; webhookIds: string[] };
  /** Sets an account's switches or revokes its tokens, from JSON. @throws ZodError, RangeError */
  act(json: unknown): unknown;
}

/** Creates provider B on loopback: as strict as the original, and with the same oddities in its output. */
export function providerB(core: SimulatorCore): ProviderB {
  const simulation: Simulation = {
    core,
    accounts: new Map<string, Account>(),
    signer: createSigner(core.persistence),
  };
  core.persistence.part('b.simulation', simulation);
  core.persistence.keep('provider-b', simulation.accounts);
  const app = new Koa();
  app.on('error', () => undefined);
  app.use(answerProblems);
  app.use(
    meetFaults(core, 'b', {
      failed: {
        name: 'INTERNAL_SERVER_ERROR',
        message: 'An internal server error has occurred.',
        debug_id: newDebugId(),
      },
      tooMany: {
        name: 'RATE_LIMIT_REACHED',
        message: 'Too many requests. Blocked due to rate limiting.',
        debug_id: newDebugId(),
      },
    }),
  );
  const router = new Router();
  router.post('/v1/oauth2/token', (ctx) => issueToken(simulation, ctx));
  for (const addRoutes of [
    orderRoutes,
    captureRoutes,
    refundRoutes,
    subscriptionRoutes,
    subscriptionTransactionRoutes,
    planRoutes,
    saleRoutes,
    disputeRoutes,
    webhookRoutes,
    reportRoutes,
    approvalRoutes,
  ]) {
    addRoutes(simulation, router);
  }
  app.use(router.routes());
  return {
    app,
    account: (seed) => handleOf(simulation, seedAccount(simulation.accounts, seed)),
    act: (json) => actOn(simulation.accounts, json),
    seed: (json) => {
      const { clientId, merchantId, webhooks } = seedAccount(simulation.accounts, json);
      return { clientId, merchantId, webhookIds: webhooks.map(({ id }) => id) };
    },
  };
}

function handleOf(simulation: Simulation, account: Account): AccountHandle {
  return {
    switches: account.switches,
    webhooks: account.webhooks,
    revokeTokens: () => {
      account.tokens.clear();
    },
    dispute: (sale) => openDispute(simulation, account, sale).id,
    resolveDispute: (dispute, outcome) => {
      resolveDispute(simulation, account, dispute, outcome);
    },
    answerCheques: (outcome) => {
      answerCheques(simulation, account, outcome === 'clear');
    },
    books: () => booksOf(account),
    send: (event) => publish(simulation, account, event),
    sign: (webhookId, body) => simulation.signer.sign(webhookId, body, simulation.core.clock.real()),
  };
}
