import { randomUUID } from 'node:crypto';
import { createCustomer } from '../catalog/offer';
import type { ConsoleAnswer } from '../support/operator';
import { ProviderWorld, type ProviderWorldOptions } from '../support/provider-world';
import type { MoneyText } from '../../src/domain/money';
import type { PaymentProvider } from '../../src/domain/provider';
import { deliverWebhooks } from '../support/deliver-webhooks';

/** Members of a checkout's answer that tests read. */
export interface ShownCheckout {
  id: string;
  kind: string;
  status: string;
  url: string;
  subscriptionId: string;
  expiresAt: string;
  failure: string | null;
}

/** Checkouts at the simulated providers; the work of a checkout's workflow runs in this process. */
export class ProviderCheckoutBench {
  private constructor(readonly world: ProviderWorld) {}

  static async start(options?: ProviderWorldOptions): Promise<ProviderCheckoutBench> {
    return new ProviderCheckoutBench(await ProviderWorld.start(options));
  }

  stop(planted?: { differences: true }): Promise<void> {
    return this.world.stop(planted);
  }

  get scope() {
    return { workspaceId: this.world.operator.workspaceId, environment: 'sandbox' } as const;
  }

  /** Creates a customer with an e-mail address. */
  async customer(): Promise<{ id: string; externalId: string }> {
    const customer = await createCustomer(this.world.operator);
    const email = `${customer.externalId}@example.test`;
    await this.world.operator.patch(`/api/customers/${customer.id}`, { body: { email } });
    return customer;
  }

  send(body: object, key: string = randomUUID()): Promise<ConsoleAnswer> {
    const headers = { 'Idempotency-Key': key };
    return this.world.operator.post('/api/billing/checkouts', { body, headers });
  }

  /** Creates a checkout of the plan `pro` for a new customer, unless members say otherwise. */
  async offer(provider: PaymentProvider, members: object = {}): Promise<ShownCheckout> {
    const { externalId } = await this.customer();
    return made(await this.send({ externalId, planSlug: 'pro', provider, ...members }));
  }

  /** Creates a checkout of an amount for a new customer; 12.34 USD unless `amount` is given. */
  async ask(
    provider: PaymentProvider,
    amount: MoneyText = { amount: '1234', currency: 'USD' },
  ): Promise<ShownCheckout> {
    const { externalId } = await this.customer();
    return made(await this.send({ externalId, provider, amount, description: 'A workshop' }));
  }

  async show(id: string): Promise<ShownCheckout> {
    return (await this.world.operator.get(`/api/billing/checkouts/${id}`)).body as unknown as ShownCheckout;
  }

  pay(provider: PaymentProvider, { url }: ShownCheckout): Promise<void> {
    return this.world.pay(provider, url);
  }

  expire(id: string): Promise<ConsoleAnswer> {
    return this.world.operator.post(`/api/billing/checkouts/${id}/expire`);
  }

  /** Takes the checkout's due steps, as its workflow does. */
  wake(id: string): Promise<void> {
    return this.world.service.direct.catchUpCheckout(this.scope, id);
  }

  /** Advances the clocks to an instant and wakes the checkout; the providers' webhooks in between are lost. */
  async unheard(id: string, instant: number): Promise<void> {
    const { outbox } = this.world.simulators.core;
    const { switches } = outbox;
    await deliverWebhooks(outbox);
    switches.drop = true;
    await this.world.advanceTo(instant);
    switches.drop = false;
    await this.wake(id);
  }

  rows<Row extends object = Record<string, unknown>>(sql: string, values: unknown[]): Promise<Row[]> {
    return this.world.service.database.query<Row>(sql, values);
  }

  paymentsOf(externalId: string): Promise<Record<string, unknown>[]> {
    return this.rows(
      `SELECT p.id, p.amount, p.status, p.transaction_id, p.subscription_id FROM tollgate.payments p
         JOIN tollgate.customers c ON c.id = p.customer_id WHERE c.external_id = $1`,
      [externalId],
    );
  }

  /** Returns the events of a type about a checkout. */
  async eventsOf(eventType: string, checkoutId: string): Promise<Record<string, unknown>[]> {
    const { body } = await this.world.operator.get('/api/developer-events', {
      query: { eventType, take: '200' },
    });
    return (body['data'] as { data: Record<string, unknown> }[]).filter(
      (event) => event.data['checkoutId'] === checkoutId,
    );
  }
}

export function made(answer: ConsoleAnswer): ShownCheckout {
  if (answer.status !== 201) throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as unknown as ShownCheckout;
}
