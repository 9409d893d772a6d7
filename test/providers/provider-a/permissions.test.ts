import type { ConnectionAccess } from '../../../src/providers/connection-access';
import type { Outcome } from '../../../src/providers/outcome';
import { providerA } from '../../../src/providers/provider-a/adapter';
import { idOf } from '../../simulators/provider-a-world';
import { useStarted } from '../../support/use-started';
import { startOperations, type Operations } from './operations-world';

/** A restricted key that lacks some of its permissions. */
const world = useStarted(() => startOperations({ secretKey: 'rk_test_simulated_merchant_0001' }));
let access: ConnectionAccess;
let paid: Awaited<ReturnType<Operations['paid']>>;
let refundable: string;
let dispute: string;
beforeAll(async () => {
  ({ access } = world);
  paid = await world.paid();
  const { latest_charge: charge } = await world.client.paymentIntents.retrieve(paid.payment);
  dispute = world.account.dispute(idOf(charge));
  refundable = (await world.paid()).payment;
});
beforeEach(() => {
  world.account.withhold([]);
});

/** Permissions that each operation needs, in the order in which they are found to be missing. */
const operations: Record<string, [needs: string[], () => Promise<Outcome<unknown>> | undefined]> = {
  createCheckout: [['checkout_session_write'], () => providerA.createCheckout(access, world.checkout())],
  fetchCheckout: [
    ['checkout_session_read', 'invoice_read', 'payment_intent_read'],
    () => providerA.fetchCheckout(access, { kind: 'checkout', reference: paid.session }),
  ],
  changeSubscription: [
    ['subscription_read', 'plan_read', 'subscription_write'],
    () => providerA.changeSubscription(access, world.change(paid.id, { proration: 'none' })),
  ],
  cancelSubscription: [
    ['subscription_read', 'subscription_write'],
    () => providerA.cancelSubscription(access, world.renewal(paid.id)),
  ],
  reactivateSubscription: [
    ['subscription_read', 'subscription_write'],
    () => providerA.reactivateSubscription(access, world.renewal(paid.id)),
  ],
  refundPayment: [['charge_write'], () => providerA.refundPayment(access, world.refund(refundable))],
  fetchSubscription: [['subscription_read'], () => providerA.fetchSubscription(access, paid.id)],
  fetchPayment: [
    ['payment_intent_read', 'invoice_read'],
    () => providerA.fetchPayment(access, 'payment', paid.payment),
  ],
  fetchRefundsOf: [['charge_read'], () => providerA.fetchRefundsOf?.(access, paid.payment)],
  fetchCollected: [
    ['charge_read', 'payment_intent_read', 'invoice_read', 'dispute_read'],
    () => providerA.fetchCollected?.(access, { kind: 'dispute', reference: dispute }),
  ],
  listPayments: [
    ['invoice_read', 'charge_read', 'dispute_read'],
    () => providerA.listPayments?.(access, paid.id, 0),
  ],
  listDisputes: [['dispute_read'], () => providerA.listDisputes?.(access, 0)],
  listSettlements: [['payout_read'], () => providerA.listSettlements(access, { from: 0, to: 1 })],
  fetchPlanPrice: [['plan_read'], () => providerA.fetchPlanPrice(access, world.basic)],
};

test.each(Object.entries(operations))(
  '%s: each missing permission is named, and the operation is done once it is granted',
  async (_, [needs, operation]) => {
    for (const permission of needs) {
      world.account.withhold([permission]);
      expect([permission, await operation()]).toEqual([
        permission,
        {
          kind: 'declined',
          code: 'permission_denied',
          reason: expect.stringMatching(
            `^The connection's key does not permit this at the payment provider\\. \\(lacks rak_${permission}, request req_\\w+\\)$`,
          ) as string,
        },
      ]);
    }
    world.account.withhold([]);
    expect(await operation()).toMatchObject({ kind: 'done' });
  },
);

describe('test connection', () => {
  const said = async () => {
    const checks = await providerA.testConnection(access);
    return Object.fromEntries(checks.map(({ check, ok, message }) => [check, [ok, message]]));
  };

  test('names every permission that the key lacks, the balance included', async () => {
    const { permissions, ...others } = await said();
    expect(permissions).toEqual([true, 'The restricted key has every permission that it needs.']);
    expect(Object.values(others).every(([ok]) => ok)).toBe(true);
    world.account.withhold(['balance_read', 'dispute_read', 'checkout_session_write', 'charge_write']);
    expect(await said()).toMatchObject({
      authentication: [true, expect.any(String)],
      permissions: [
        false,
        'The restricted key lacks permissions. Grant them at the payment provider: Checkout Sessions (Write), Charges and Refunds (Write), Disputes (Read), Balance (Read).',
      ],
      webhook: [true, expect.any(String)],
      mode: [true, expect.any(String)],
    });
    const all = ['webhook', 'plan', 'invoice', 'payment_intent', 'payout', 'balance_transaction_source'];
    world.account.withhold([...all.map((resource) => `${resource}_read`), 'subscription_write']);
    const lacking = await said();
    expect(lacking['permissions']?.[1]).toBe(
      'The restricted key lacks permissions. Grant them at the payment provider: Subscriptions (Write), Invoices (Read), PaymentIntents (Read), Prices (Read), Payouts (Read), Balance Transaction Sources (Read), Webhook Endpoints (Read).',
    );
    expect(lacking['webhook']).toEqual([
      false,
      expect.stringMatching(/^The secret key lacks the permission rak_webhook_read \(request req_\w+\)\.$/),
    ]);
  });
});
