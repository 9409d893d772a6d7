import { randomUUID } from 'node:crypto';
import { made, type ProviderCheckoutBench } from '../checkouts/provider-checkout-bench';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import type { Outcome } from '../../src/providers/outcome';
import type { RefundFacts } from '../../src/providers/canonical-event';
import type { PaymentProvider } from '../../src/domain/provider';

/** Recorded money of a life, without the ids of the service and the provider. */
export interface LifeMoney {
  payments: unknown[];
  refunds: unknown[];
  disputes: unknown[];
  settlements: Record<string, string>;
}

/**
 * A subscription that goes through everything money can do: it is bought, renewed and upgraded, a payment fails and
 * is paid later, payments are refunded and disputed at the provider, and it is settled and cancelled.
 */
export class MoneyLife {
  subscriptionId = '';
  private readonly known: ReadonlySet<string>;

  private constructor(
    readonly bench: ProviderCheckoutBench,
    readonly provider: PaymentProvider,
    private readonly customer: { id: string; externalId: string },
    settlements: readonly string[],
  ) {
    this.known = new Set(settlements);
  }

  static async begin(bench: ProviderCheckoutBench, provider: PaymentProvider): Promise<MoneyLife> {
    const customer = await bench.customer();
    const before = await bench.rows<{ id: string }>('SELECT id FROM tollgate.settlements', []);
    const life = new MoneyLife(
      bench,
      provider,
      customer,
      before.map(({ id }) => id),
    );
    const offer = { externalId: customer.externalId, planSlug: 'pro', provider };
    const checkout = made(await bench.send(offer));
    await bench.pay(provider, checkout);
    await life.world.settle();
    await life.world.advanceBy(5 * MINUTE_MS);
    await bench.wake(checkout.id);
    life.subscriptionId = checkout.subscriptionId;
    return life;
  }

  get world() {
    return this.bench.world;
  }

  private get email(): string {
    return `${this.customer.externalId}@example.test`;
  }

  async live(): Promise<void> {
    await this.renew();
    await this.upgrade();
    await this.renew();
    await this.failOnce();
    await this.refund();
    await this.world.advanceBy(HOUR_MS);
    await this.dispute();
    await this.payOut();
    await this.world.command(this.subscriptionId, 'cancel');
    await this.world.advanceBy(40 * DAY_MS);
    await this.look();
    await this.payOut();
  }

  /** Advances past the end of the current period. */
  async renew(): Promise<void> {
    const { currentPeriodEnd } = await this.world.show(this.subscriptionId);
    await this.world.advanceTo(Date.parse(currentPeriodEnd) + 2 * HOUR_MS);
  }

  /** Upgrades in the middle of the period: half of it costs the same in every month. */
  async upgrade(): Promise<void> {
    if (this.provider === 'provider_c') return;
    const { currentPeriodStart, currentPeriodEnd } = await this.world.show(this.subscriptionId);
    await this.world.advanceTo((Date.parse(currentPeriodStart) + Date.parse(currentPeriodEnd)) / 2);
    const answer = await this.world.change(this.subscriptionId, { plan: 'large' });
    if (answer.body['requiresCustomerAction'] === true) {
      await this.world.pay(this.provider, String(answer.body['approvalUrl']));
      await this.world.settle();
    } else if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }

  /** Lets a payment fail once. A and B collect again within days, C with the next period. */
  async failOnce(): Promise<void> {
    await this.take(false);
    await this.renew();
    await this.take(true);
    if (this.provider === 'provider_c') await this.renew();
    else await this.world.advanceBy(8 * DAY_MS);
  }

  /** Refunds the latest payment in the provider's dashboard. */
  async refund(amount = 700n): Promise<void> {
    const payment = await this.payment('DESC');
    const { adapter, access } = await this.world.open(this.provider);
    const outcome: Outcome<RefundFacts> = await adapter.refundPayment(access, {
      key: randomUUID(),
      repeated: false,
      payment,
      amount,
      currency: 'USD',
      refundId: `dashboard-${randomUUID()}`,
    });
    if (outcome.kind !== 'done' && outcome.kind !== 'pending') throw new Error(JSON.stringify(outcome));
  }

  /** Has the customer dispute the first payment; the merchant loses. */
  async dispute(): Promise<void> {
    const { a, b, c } = this.world.simulators.providers;
    const { provider_a, provider_b, provider_c } = this.world.secrets;
    const { reference } = await this.payment('ASC');
    switch (this.provider) {
      case 'provider_a': {
        const account = a.account({ secretKey: provider_a['secretKey'] ?? '' });
        const dispute = account.dispute(await this.chargeOf(reference));
        await this.world.advanceBy(DAY_MS);
        account.closeDispute(dispute, 'lost');
        break;
      }
      case 'provider_b': {
        const { clientId = '', clientSecret = '' } = provider_b;
        const account = b.account({ clientId, clientSecret });
        const dispute = account.dispute(reference);
        await this.world.advanceBy(DAY_MS);
        account.resolveDispute(dispute, 'lost');
        break;
      }
      case 'provider_c': {
        const account = c.controls(provider_c['secretKey'] ?? '');
        const dispute = account.dispute(reference);
        await this.world.advanceBy(DAY_MS);
        account.resolveDispute(dispute, 'lost');
      }
    }
    await this.world.advanceBy(HOUR_MS);
  }

  private async chargeOf(payment: string): Promise<string> {
    const [row] = await this.bench.rows<{ reference: string }>(
      `SELECT c.reference FROM tollgate.provider_references p JOIN tollgate.provider_references c USING (target_id)
        WHERE p.reference = $1 AND c.kind = 'charge'`,
      [payment],
    );
    return row?.reference ?? '';
  }

  /** Collects the provider's payouts, as happens every day. */
  async payOut(): Promise<void> {
    const { providers } = this.world.simulators;
    if (this.provider === 'provider_a') {
      providers.a.account({ secretKey: this.world.secrets.provider_a['secretKey'] ?? '' }).payOut();
      await this.world.settle();
    }
    await this.world.advanceBy(2 * DAY_MS);
    const answer = await this.world.operator.post('/api/billing/settlements/collect', {
      body: {},
      headers: { 'Idempotency-Key': randomUUID() },
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }

  /** Compares the subscription with the provider, as happens every day. */
  async look(): Promise<void> {
    await this.world.operator.get(`/api/billing/subscriptions/${this.subscriptionId}/drift`);
  }

  /** Sets whether the customer's card or wallet pays from now on. */
  private async take(money: boolean): Promise<void> {
    const { simulators, secrets } = this.world;
    const { a, b, c } = simulators.providers;
    const { clientId = '', clientSecret = '' } = secrets.provider_b;
    const { providerReference } = await this.world.show(this.subscriptionId);
    const reference = String(providerReference);
    switch (this.provider) {
      case 'provider_a': {
        const { customerReference } = await this.world.atProvider({ provider: this.provider, reference });
        const account = a.account({ secretKey: secrets.provider_a['secretKey'] ?? '' });
        account.setCard(customerReference ?? '', money ? 'pays' : 'declines');
        return;
      }
      case 'provider_b':
        b.account({ clientId, clientSecret }).switches.failPayments = !money;
        return;
      case 'provider_c':
        c.controls(secrets.provider_c['secretKey'] ?? '').setCards(this.email, money ? 'succeed' : 'decline');
    }
  }

  private async payment(order: 'ASC' | 'DESC'): Promise<{ kind: 'payment'; reference: string }> {
    const [row] = await this.bench.rows<{ reference: string }>(
      `SELECT r.reference FROM tollgate.payments p JOIN tollgate.provider_references r ON r.target_id = p.id AND r.kind = 'payment'
        WHERE p.customer_id = $1 AND p.status = 'succeeded' ORDER BY p.received_at ${order} LIMIT 1`,
      [this.customer.id],
    );
    if (row === undefined) throw new Error('There is no payment.');
    return { kind: 'payment', reference: row.reference };
  }

  async money(): Promise<LifeMoney> {
    const of = [this.customer.id];
    const payments = await this.bench.rows(
      `SELECT amount, currency, status, subscription_id = '${this.subscriptionId}' AS own, settlement_id IS NOT NULL AS settled
         FROM tollgate.payments WHERE customer_id = $1 ORDER BY received_at, amount`,
      of,
    );
    const refunds = await this.bench.rows(
      `SELECT r.kind, r.amount, r.status, r.settlement_id IS NOT NULL AS settled FROM tollgate.refunds r
         JOIN tollgate.payments p ON p.id = r.payment_id WHERE p.customer_id = $1 ORDER BY r.kind, r.amount`,
      of,
    );
    const disputes = await this.bench.rows(
      `SELECT d.status, d.amount FROM tollgate.disputes d JOIN tollgate.payments p ON p.id = d.payment_id
        WHERE p.customer_id = $1`,
      of,
    );
    const settlements = await this.bench.rows<Record<string, string> & { id: string }>(
      `SELECT id, paid, refunded, fees, net, unmatched FROM tollgate.settlements WHERE provider = $1`,
      [this.provider],
    );
    const sums = ['paid', 'refunded', 'fees', 'net', 'unmatched'].map((member) => [
      member,
      settlements
        .filter(({ id }) => !this.known.has(id))
        .reduce((sum, row) => sum + BigInt(row[member] ?? 0), 0n)
        .toString(),
    ]);
    return { payments, refunds, disputes, settlements: Object.fromEntries(sums) as Record<string, string> };
  }
}
