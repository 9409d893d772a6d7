import { randomUUID } from 'node:crypto';
import { made, type ProviderCheckoutBench, type ShownCheckout } from '../checkouts/provider-checkout-bench';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import type { PaymentFacts, SubscriptionFacts } from '../../src/providers/canonical-event';
import type { ConnectionAccess } from '../../src/providers/connection-access';
import type { ProviderAdapter } from '../../src/providers/provider-adapter';
import type { ProviderReference } from '../../src/providers/provider-operations';
import { press } from '../support/provider-world';
import { ProviderRow } from '../support/provider-row';
import type { PaymentProvider } from '../../src/domain/provider';
import { deliverWebhooks } from '../support/deliver-webhooks';

/** Time after a boundary by which the provider has done its work. */
const DONE_MS = HOUR_MS;
/** Amount refunded, twice the same, in minor units. */
export const REFUNDED = 500n;
const LETTER = { provider_a: 'a', provider_b: 'b', provider_c: 'c' } as const;
const CHANGES = {
  provider_a: { planReference: 'price_large', proration: 'invoice_now' },
  provider_b: { planReference: 'P-LARGE', proration: 'none' },
} as const;

/**
 * A subscription that lives at its provider while nothing about it is received here: it is paid and renewed, a
 * payment fails and is paid later, it changes if the provider supports that, and the same amount is refunded twice.
 * Only its checkout is known here.
 */
export class ProviderLife {
  private reference = '';

  private constructor(
    readonly bench: ProviderCheckoutBench,
    readonly provider: PaymentProvider,
    readonly checkout: ShownCheckout,
    private readonly email: string,
    private readonly before: ReadonlySet<string>,
  ) {}

  static async live(bench: ProviderCheckoutBench, provider: PaymentProvider): Promise<ProviderLife> {
    const { externalId } = await bench.customer();
    const before = new Set(bench.world.simulators.core.outbox.deliveries.map(({ id }) => id));
    // From here on, because B also sends a webhook when the subscription is created.
    new ProviderRow(bench.world).lose(true);
    const checkout = made(await bench.send({ externalId, planSlug: 'pro', provider }));
    const life = new ProviderLife(bench, provider, checkout, `${externalId}@example.test`, before);
    await life.begin();
    await life.pass();
    await life.take(false);
    await life.pass();
    await life.take(true);
    // A and B collect again within days; C charges again a month later.
    if (provider === 'provider_c') await life.pass();
    else await bench.world.advanceBy(8 * DAY_MS);
    await life.change();
    for (let count = 0; count < 2; count += 1) await life.refund();
    await bench.world.advanceBy(DAY_MS);
    if (provider === 'provider_a') life.accountOfA.payOut();
    await deliverWebhooks(bench.world.simulators.core.outbox);
    return life;
  }

  /** Ends the subscription at the provider; A and C end it at the end of the period. */
  async cancel(): Promise<void> {
    const request = { reference: this.reference, reason: 'Enough.', ...sending() };
    const end = await this.periodEnd();
    const outcome = await this.ask((adapter, access) => adapter.cancelSubscription(access, request));
    if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
    await this.bench.world.advanceTo(end + DONE_MS);
  }

  /** Ids of the provider's webhooks about the subscription, in the order of events. */
  get webhooks(): string[] {
    return this.deliveries.map(({ id }) => id).filter((id) => !this.before.has(id));
  }

  /** Returns the payments that the provider collected, oldest first. */
  async collected(): Promise<PaymentFacts[]> {
    const deliveries = this.deliveries.filter(({ id }) => !this.before.has(id));
    const { adapter } = await this.bench.world.open(this.provider);
    const payments = deliveries.flatMap(({ body }) => adapter.readEvent(body).payment ?? []);
    const paid = payments.filter(({ status }) => status === 'succeeded');
    return [...new Map(paid.map((payment) => [payment.reference, payment])).values()];
  }

  private get deliveries() {
    const { deliveries } = this.bench.world.simulators.core.outbox;
    return deliveries.filter(({ provider }) => provider === LETTER[this.provider]);
  }

  private get accountOfA() {
    const { simulators, secrets } = this.bench.world;
    return simulators.providers.a.account({ secretKey: secrets.provider_a['secretKey'] ?? '' });
  }

  private async begin(): Promise<void> {
    await this.bench.pay(this.provider, this.checkout);
    await deliverWebhooks(this.bench.world.simulators.core.outbox);
    const [row] = await this.bench.rows<ProviderReference>(
      'SELECT reference_kind AS kind, reference FROM tollgate.checkouts WHERE id = $1',
      [this.checkout.id],
    );
    if (row === undefined) throw new Error('There is no checkout.');
    const outcome = await this.ask((adapter, access) => adapter.fetchCheckout(access, row));
    if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
    this.reference = outcome.value.subscriptionReference ?? '';
  }

  private facts(): Promise<SubscriptionFacts> {
    return this.bench.world.atProvider({ provider: this.provider, reference: this.reference });
  }

  private async periodEnd(): Promise<number> {
    const { currentPeriodEnd } = await this.facts();
    if (currentPeriodEnd === null) throw new Error('The provider names no end of the period.');
    return currentPeriodEnd;
  }

  /** Advances a little past the end of the current period. */
  private async pass(): Promise<void> {
    await this.bench.world.advanceTo((await this.periodEnd()) + DONE_MS);
  }

  /** Sets whether the customer's card or wallet pays from now on. */
  private async take(money: boolean): Promise<void> {
    const { simulators, secrets } = this.bench.world;
    const { b, c } = simulators.providers;
    const { clientId = '', clientSecret = '' } = secrets.provider_b;
    const { customerReference } = await this.facts();
    switch (this.provider) {
      case 'provider_a':
        this.accountOfA.setCard(customerReference ?? '', money ? 'pays' : 'declines');
        return;
      case 'provider_b':
        b.account({ clientId, clientSecret }).switches.failPayments = !money;
        return;
      case 'provider_c':
        c.controls(secrets.provider_c['secretKey'] ?? '').setCards(this.email, money ? 'succeed' : 'decline');
    }
  }

  private async change(): Promise<void> {
    if (this.provider === 'provider_c') return;
    const page = 'https://shop.example/back';
    const wanted = CHANGES[this.provider];
    const request = { ...wanted, reference: this.reference, quantity: 2, returnUrl: page, cancelUrl: page };
    const outcome = await this.ask((adapter, access) =>
      adapter.changeSubscription(access, { ...request, ...sending() }),
    );
    if (outcome.kind === 'customer_action') await press(outcome.approvalUrl ?? '', { choice: 'approve' });
    else if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  }

  private async refund(): Promise<void> {
    const [payment] = await this.collected();
    if (payment === undefined) throw new Error('Nothing was collected.');
    const request = { payment, amount: REFUNDED, currency: 'USD', refundId: `ref_${randomUUID()}` };
    const outcome = await this.ask((adapter, access) =>
      adapter.refundPayment(access, { ...request, ...sending() }),
    );
    if (outcome.kind !== 'done' && outcome.kind !== 'pending') throw new Error(JSON.stringify(outcome));
  }

  private async ask<Answer>(
    call: (adapter: ProviderAdapter, access: ConnectionAccess) => Promise<Answer>,
  ): Promise<Answer> {
    const { adapter, access } = await this.bench.world.open(this.provider);
    return call(adapter, access);
  }
}

function sending(): { key: string; repeated: boolean } {
  return { key: randomUUID(), repeated: false };
}
