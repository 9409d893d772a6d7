import { randomUUID } from 'node:crypto';
import { createCheckoutTimers, type CheckoutTimers } from '../../src/checkouts/checkout-timers';
import type { Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { recordPayment } from '../../src/payments/record-payment';
import { findBilledSubscription } from '../../src/subscriptions/billed-subscription-store';
import { findTransaction } from '../../src/subscriptions/transaction-store';
import type { Actor, WorkspaceScope } from '../../src/tenancy/actor';
import { createCustomer, createPlan } from '../catalog/offer';
import { Integrator } from '../support/integrator';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { operationHandlers } from '../../src/service/operation-handlers';
import { createOperationRunner } from '../../src/subscriptions/commands/operation-service';
import { createWorkspace } from '../support/workspace';

/** Members of a checkout's answer that tests read. */
export interface Checkout {
  id: string;
  status: string;
  subscriptionId: string;
  expiresAt: string;
  amountDue: { amount: string; currency: string };
  transaction: { id: string; total: { amount: string } } | null;
}

/** A service, an operator and the functions that the worker's activities call, for tests of checkouts below HTTP. */
export class CheckoutWorkspace {
  private constructor(
    readonly service: TestService,
    readonly client: OperatorClient,
    readonly integrator: Integrator,
    readonly database: Database,
    readonly timers: CheckoutTimers,
  ) {}

  static async start(): Promise<CheckoutWorkspace> {
    const service = await startTestService({ commands: 'direct' });
    const { workspaceId, sandboxKey } = await createWorkspace(service.database);
    const client = await logIn(service, { role: 'admin', workspaceId });
    const integrator = new Integrator(service.urls.sandbox, sandboxKey);
    const database = service.open('tollgate_worker', 8);
    const { clock } = service;
    const commands = createOperationRunner({ database, clock, handlers: operationHandlers });
    const timers = createCheckoutTimers({ database, clock, commands });
    return new CheckoutWorkspace(service, client, integrator, database, timers);
  }

  get scope(): WorkspaceScope {
    return { workspaceId: this.client.workspaceId, environment: 'sandbox' };
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  send(body: object, key: string = randomUUID()): Promise<ConsoleAnswer> {
    return this.client.post('/api/billing/checkouts', { body, headers: { 'Idempotency-Key': key } });
  }

  async checkout(body: object): Promise<Checkout> {
    const answer = await this.send(body);
    if (answer.status !== 201) throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as unknown as Checkout;
  }

  /** Creates a checkout of a new plan for a new customer; the given members replace those of the plan. */
  async offer(plan: object = {}): Promise<{ checkout: Checkout; externalId: string; planId: string }> {
    const planId = await createPlan(this.client, plan);
    const { externalId } = await createCustomer(this.client);
    return { checkout: await this.checkout({ externalId, planId }), externalId, planId };
  }

  async read(id: string): Promise<Record<string, unknown>> {
    return (await this.client.get(`/api/billing/checkouts/${id}`)).body;
  }

  async statusOf(subscriptionId: string): Promise<unknown> {
    return (await this.client.get(`/api/billing/subscriptions/${subscriptionId}`)).body['status'];
  }

  /** Records a payment of the checkout's transaction as its workflow does, in full unless an amount is given. */
  async pay({ subscriptionId, transaction }: Checkout, amount?: bigint): Promise<void> {
    const now = this.service.clock.now();
    const actor: Actor = {
      scope: this.scope,
      reason: 'OPERATOR',
      operatorId: this.client.operatorId,
      apiKeyId: null,
      ip: null,
      requestId: 'req_test',
      receivedAt: now,
      now,
    };
    await inWorkspace(this.database, this.scope, 'OPERATOR', async (trx) => {
      const subscription = await findBilledSubscription(trx, this.scope, subscriptionId, 'lock');
      const charge = await findTransaction(trx, this.scope, transaction?.id ?? '', 'read');
      if (subscription === undefined || charge === undefined) throw new Error('There is nothing to pay.');
      const money = { amount: amount ?? charge.total, currency: charge.currency };
      const input = { transactionId: charge.id, amount: money, reference: null, receivedAt: null };
      await recordPayment(trx, actor, subscription, input);
    });
  }
}
