import { randomUUID } from 'node:crypto';
import type { BookedPayment, Books } from '../../simulators/core/books';
import type { ProviderWorld } from '../support/provider-world';
import type { PaymentProvider } from '../../src/domain/provider';

/** Actions of a merchant, a customer and their bank at a simulated provider, outside the service. */
export interface ProviderAccount {
  books(): Books;
  /** Sets whether cards or wallets pay from now on, for one customer if the provider distinguishes customers. */
  takeMoney(of: { reference: string; email: string }, takes: boolean): Promise<void>;
  /** Refunds in the dashboard. The provider may refuse. */
  refund(payment: BookedPayment, amount: bigint): Promise<void>;
  /** Disputes a payment. @returns a function that decides the dispute later; null if it cannot be disputed */
  dispute(payment: BookedPayment): ((outcome: 'won' | 'lost') => void) | null;
  /** Settles pending refunds and sets how later ones end: at the customer's bank, or returned to the merchant. */
  settleRefunds(arrive: boolean): Promise<void>;
  /** Triggers a payout at a provider whose clock does not trigger payouts. @param returned whether the bank returns it */
  payOut(returned: boolean): void;
}

export function accountAt(world: ProviderWorld, provider: PaymentProvider): ProviderAccount {
  const { a, b, c } = world.simulators.providers;
  const refund: ProviderAccount['refund'] = async ({ kind, reference, currency }, amount) => {
    const { adapter, access } = await world.open(provider);
    const refundId = `dashboard-${randomUUID()}`;
    const sending = { key: randomUUID(), repeated: false };
    const payment = { kind, reference };
    await adapter.refundPayment(access, { ...sending, payment, amount, currency, refundId });
  };
  switch (provider) {
    case 'provider_a': {
      const account = a.account({ secretKey: world.secrets.provider_a['secretKey'] ?? '' });
      return {
        books: () => account.books(),
        refund,
        takeMoney: async ({ reference }, takes) => {
          const { customerReference } = await world.atProvider({ provider, reference });
          if (customerReference !== null) account.setCard(customerReference, takes ? 'pays' : 'declines');
        },
        dispute: ({ disputable }) => {
          const dispute = account.dispute(disputable ?? '');
          return (outcome) => {
            account.closeDispute(dispute, outcome);
          };
        },
        settleRefunds: async (arrive) => {
          const { urls } = world.simulators;
          const headers = { authorization: `Bearer ${world.secrets.provider_a['secretKey'] ?? ''}` };
          const answer = await fetch(`${urls.a}/v1/refunds?limit=100`, { headers });
          const { data } = (await answer.json()) as { data: { id: string; status: string }[] };
          for (const { id, status } of data) {
            if (status === 'pending') account.settleRefund(id, arrive ? 'succeeded' : 'failed');
          }
          account.setRefundsPending(!arrive);
          // A call that failed would otherwise wait a day of real time, after which the provider forgets its key.
          account.forgetKeys();
        },
        payOut: (returned) => {
          for (const payout of account.payOut()) if (returned) account.failPayout(payout);
        },
      };
    }
    case 'provider_b': {
      const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
      const account = b.account({ clientId, clientSecret });
      return {
        books: () => account.books(),
        refund,
        takeMoney: (_, takes) => {
          account.switches.failPayments = !takes;
          return Promise.resolve();
        },
        dispute: ({ disputable }) => {
          if (disputable === null) return null;
          const dispute = account.dispute(disputable);
          return (outcome) => {
            account.resolveDispute(dispute, outcome);
          };
        },
        settleRefunds: () => Promise.resolve(),
        payOut: () => undefined,
      };
    }
    case 'provider_c': {
      const account = c.controls(world.secrets.provider_c['secretKey'] ?? '');
      return {
        books: () => account.books(),
        refund,
        takeMoney: ({ email }, takes) => {
          account.setCards(email, takes ? 'succeed' : 'decline');
          return Promise.resolve();
        },
        dispute: ({ disputable }) => {
          const dispute = account.dispute(disputable ?? '');
          return (outcome) => {
            account.resolveDispute(dispute, outcome);
          };
        },
        settleRefunds: (arrive) => {
          account.setRefundsEnd(arrive ? 'processed' : 'failed');
          return Promise.resolve();
        },
        payOut: () => undefined,
      };
    }
  }
}
