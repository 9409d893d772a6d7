import type Stripe from 'stripe';
import { HOUR_MS } from '../../../src/domain/instant';
import type { ConnectionAccess } from '../../../src/providers/connection-access';
import type {
  ChangeRequest,
  CheckoutRequest,
  RefundRequest,
  SubscriptionRequest,
} from '../../../src/providers/provider-operations';
import { idOf, SECRET_KEY, startProviderA, WEBHOOK_SECRET } from '../../simulators/provider-a-world';

/** Starts provider A with a connection to it, and builds requests for the operations. */
export async function startOperations({ secretKey = SECRET_KEY } = {}) {
  const world = await startProviderA({ seed: { secretKey } });
  const price = (unitAmount: number, interval: 'month' | 'year' = 'month') =>
    world.account.price({ unitAmount, currency: 'usd', interval });
  const [basic, pro] = [price(2_000), price(6_000)];
  const access: ConnectionAccess = {
    connectionId: 'conn_1',
    apiMode: 'sandbox',
    secretVersion: 1,
    secrets: { secretKey, webhookSecret: WEBHOOK_SECRET },
    settings: { planReferences: { basic, pro } },
    baseUrl: world.url,
  };
  let keys = 0;
  const sending = () => ({ key: `op_${(keys += 1)}`, repeated: false });
  const later = (ms: number) => world.core.clock.now() + ms;

  return {
    ...world,
    access,
    price,
    basic,
    pro,
    sending,
    checkout: (change: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
      ...sending(),
      checkoutId: 'chk_1',
      workspaceId: 'ws_1',
      customer: { customerId: 'cus_ours', reference: null, email: 'ada@example.test', name: 'Ada' },
      offer: {
        kind: 'subscription',
        subscriptionId: 'sub_ours',
        planReference: basic,
        quantity: 2,
        amount: 4_000n,
        currency: 'USD',
      },
      successUrl: 'http://127.0.0.1:1/paid',
      cancelUrl: 'http://127.0.0.1:1/back',
      expiresAt: later(HOUR_MS),
      ...change,
    }),
    change: (reference: string, change: Partial<ChangeRequest> = {}): ChangeRequest => ({
      ...sending(),
      reference,
      planReference: pro,
      quantity: 1,
      proration: 'invoice_now',
      returnUrl: 'http://127.0.0.1:1/changed',
      cancelUrl: 'http://127.0.0.1:1/back',
      ...change,
    }),
    renewal: (reference: string): SubscriptionRequest => ({
      ...sending(),
      reference,
      reason: 'The customer cancelled.',
    }),
    refund: (payment: string, change: Partial<RefundRequest> = {}): RefundRequest => ({
      ...sending(),
      payment: { kind: 'payment', reference: payment },
      amount: 500n,
      currency: 'USD',
      refundId: 'ref_1',
      ...change,
    }),
    /** Opens a subscription of the basic plan with its first payment. */
    paid: async () => {
      const { subscription, session } = await world.subscribe(basic);
      const invoice = await world.client.invoices.retrieve(idOf(session.invoice), { expand: ['payments'] });
      return {
        id: subscription.id,
        customer: idOf(subscription.customer),
        invoice: invoice.id,
        session: session.id,
        payment: idOf(invoice.payments?.data[0]?.payment.payment_intent),
      };
    },
    /** Returns the items of a subscription at the provider. */
    items: async (subscription: string) => {
      const { items } = await world.client.subscriptions.retrieve(subscription);
      return items.data.map(({ price: { id }, quantity }: Stripe.SubscriptionItem) => [id, quantity]);
    },
    /**
     * Cuts the connection after the request took effect, so that no answer arrives; twice, because the library
     * retries on its own when a kept connection is closed.
     */
    cut: (path: string) => {
      world.core.faults.set({ provider: 'a', path, fault: 'cut_after_commit', times: 2 });
    },
    /** Returns how many events of a type the provider has. */
    times: async (type: string) => (await world.client.events.list({ type, limit: 100 })).data.length,
  };
}

export type Operations = Awaited<ReturnType<typeof startOperations>>;
