import { randomUUID } from 'node:crypto';
import { createCustomer } from '../catalog/offer';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import type { PaymentFacts, RefundFacts } from '../../src/providers/canonical-event';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import type { PlanName, Shown, WorldSubscription } from '../support/provider-world';
import { until } from '../support/until';
import type { SkippedYears } from './provider-year-world';
import type { PaymentProvider } from '../../src/domain/provider';

/** Time after a boundary by which everything is done, here and at the provider. */
const AFTERWARDS_MS = HOUR_MS;
const LETTER = { provider_a: 'a', provider_b: 'b', provider_c: 'c' } as const;

/** A customer's year at a provider, driven through the console and as the customer. */
export class ProviderYear {
  private constructor(
    private readonly years: SkippedYears,
    private operator: OperatorClient,
    readonly subscription: WorldSubscription,
    private readonly customerId: string,
  ) {}

  /** Creates a customer that subscribes to `pro` on the provider's page. */
  static async begin(years: SkippedYears, provider: PaymentProvider): Promise<ProviderYear> {
    const operator = await signedIn(years);
    const { id: customerId, externalId } = await createCustomer(operator);
    const email = `${externalId}@example.test`;
    await operator.patch(`/api/customers/${customerId}`, { body: { email } });
    const subscription = { id: '', provider, reference: '', externalId, email };
    const year = new ProviderYear(years, operator, subscription, customerId);
    const connectionId = years.world.connections[provider];
    const offer = { externalId, planSlug: 'pro', provider, connectionId };
    const { status, body } = await year.ask('/api/billing/checkouts', offer);
    if (status !== 201) throw new Error(`The checkout was answered ${status}: ${JSON.stringify(body)}`);
    await years.world.pay(provider, String(body['url']));
    // Provider C sends no usable webhook for this: the checkout's workflow polls.
    await year.pass(5 * MINUTE_MS);
    subscription.id = String(body['subscriptionId']);
    subscription.reference = String((await year.show())['providerReference']);
    return year;
  }

  async show(): Promise<Shown> {
    return (await this.operator.get(`/api/billing/subscriptions/${this.subscription.id}`)).body as Shown;
  }

  /** Sends a command on the subscription until it is answered. */
  command(act: 'cancel' | 'change', body: object = {}): Promise<ConsoleAnswer> {
    return this.ask(`/api/billing/subscriptions/${this.subscription.id}/${act}`, body);
  }

  /** Requests another plan, and approves it as the customer if required. */
  async change(plan: PlanName): Promise<ConsoleAnswer> {
    const { planId } = this.years.world.plans[plan];
    const answer = await this.command('change', { planId });
    if (answer.body['requiresCustomerAction'] === true) {
      await this.years.world.pay(this.subscription.provider, String(answer.body['approvalUrl']));
      await this.pass(MINUTE_MS);
    }
    return answer;
  }

  /** Refunds part of the latest payment. `amount`: minor units. */
  async refund(amount: string): Promise<ConsoleAnswer> {
    const [payment] = await this.payments();
    const money = { amount, currency: 'USD' };
    const answer = await this.ask('/api/billing/refunds', { paymentId: payment?.id, amount: money });
    // Provider C's bank takes a while.
    await this.pass(DAY_MS);
    return answer;
  }

  async pass(milliseconds: number): Promise<void> {
    await this.years.passTo(this.years.now() + milliseconds);
    this.operator = await signedIn(this.years);
  }

  /** Advances past the end of the current period. */
  async renew(): Promise<void> {
    const { currentPeriodEnd } = await this.show();
    await this.pass(Date.parse(currentPeriodEnd) + AFTERWARDS_MS - this.years.now());
  }

  /** Sets whether the customer's card or wallet pays from now on. */
  async take(money: boolean): Promise<void> {
    const { simulators, secrets } = this.years.world;
    const { a, b, c } = simulators.providers;
    const { provider, email } = this.subscription;
    const { clientId = '', clientSecret = '' } = secrets.provider_b;
    const { customerReference } = await this.years.world.atProvider(this.subscription);
    const accountOfA = a.account({ secretKey: secrets.provider_a['secretKey'] ?? '' });
    switch (provider) {
      case 'provider_a':
        accountOfA.setCard(customerReference ?? '', money ? 'pays' : 'declines');
        return;
      case 'provider_b':
        b.account({ clientId, clientSecret }).switches.failPayments = !money;
        return;
      case 'provider_c':
        c.controls(secrets.provider_c['secretKey'] ?? '').setCards(email, money ? 'succeed' : 'decline');
    }
  }

  /** Returns its payments here with all of the provider's references to them, newest first. */
  payments(): Promise<{ id: string; amount: string; status: string; names: string[] }[]> {
    return this.years.world.service.database.query(
      `SELECT p.id, p.amount, p.status, (SELECT array_agg(f.reference) FROM tollgate.provider_references f
         WHERE f.workspace_id = p.workspace_id AND f.target_id = p.id) AS names
         FROM tollgate.payments p WHERE p.customer_id = $1 ORDER BY p.received_at DESC`,
      [this.customerId],
    );
  }

  /** Returns its refunds here, oldest first. */
  refunds(): Promise<{ amount: string; status: string; of: string }[]> {
    return this.years.world.service.database.query(
      `SELECT r.amount, r.status, r.payment_id AS of FROM tollgate.refunds r
         JOIN tollgate.payments p ON p.id = r.payment_id WHERE p.customer_id = $1 ORDER BY r.requested_at`,
      [this.customerId],
    );
  }

  /** Returns what the provider has collected and refunded. */
  async moneyThere(): Promise<{ payments: PaymentFacts[]; refunds: RefundFacts[] }> {
    const { provider } = this.subscription;
    const { adapter, access } = await this.years.world.open(provider);
    const webhooks = [...this.years.webhooks.values()].filter((one) => one.provider === LETTER[provider]);
    const events = webhooks.map(({ body }) => adapter.readEvent(body));
    const paid = events
      .flatMap(({ payment }) => payment ?? [])
      .filter(({ status }) => status === 'succeeded');
    const collected = paid.filter(({ kind }) => kind !== 'invoice');
    const payments = [...new Map(collected.map((payment) => [payment.reference, payment])).values()];
    const named = events.flatMap(({ refund }) => refund?.reference ?? []);
    const refunds: RefundFacts[] = [];
    for (const reference of new Set(named)) {
      const outcome = await adapter.fetchRefund(access, reference);
      if (outcome.kind === 'done' || outcome.kind === 'pending') refunds.push(outcome.value);
    }
    for (const { reference } of payments) {
      const outcome = await adapter.fetchRefundsOf?.(access, reference);
      if (outcome?.kind === 'done') refunds.push(...outcome.value);
    }
    const each = new Map(refunds.map((refund) => [refund.reference, refund]));
    return { payments, refunds: [...each.values()] };
  }

  private async ask(path: string, body: object): Promise<ConsoleAnswer> {
    const headers = { 'Idempotency-Key': randomUUID() };
    let answer: ConsoleAnswer | undefined;
    await until(async () => {
      await this.years.meet();
      answer = await this.operator.post(path, { body, headers });
      return answer.status !== 202;
    });
    if (answer === undefined) throw new Error('There is no answer.');
    return answer;
  }
}

/** Logs in again, because a session lasts only hours. */
function signedIn({ world }: SkippedYears): Promise<OperatorClient> {
  return logIn(world.service, { role: 'admin', workspaceId: world.operator.workspaceId });
}
