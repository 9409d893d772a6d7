import { randomUUID } from 'node:crypto';
import type { BookedPayment, Books } from '../../simulators/core/books';
import type { ProviderWorld } from '../support/provider-world';
import type { PaymentProvider } from '../../src/domain/provider';

/** Actions of a merchant, a customer and their bank at a simulated provider, outside the service. */
export interface ProviderAccount {
  books(): Books;
  /** Sets whether cards or wallets pay from now on, for one customer if the provider distinguishes customers. */
  takeMoney(of: { reference: string; email: string }, takes: boolean): Promise<void>;
  /**
   * What the customer or the merchant can do to a subscription on the provider's own pages, by name. The provider may
   * refuse.
   */
  readonly actions: readonly string[];
  /** Does one of these. @returns the provider's answer */
  act(reference: string, action: string): Promise<number>;
  /** Has banks answer the payments that they have, at a provider whose pages offer such. */
  answerBanks?(isPaid: boolean): void;
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
  const { urls } = world.simulators;
  switch (provider) {
    case 'provider_a': {
      const secretKey = world.secrets.provider_a['secretKey'] ?? '';
      const account = a.account({ secretKey });
      const asked: Record<string, [method: string, path: string, body: Record<string, string>]> = {
        end: ['DELETE', '', {}],
        cancel: ['POST', '', { cancel_at_period_end: 'true' }],
        renew: ['POST', '', { cancel_at_period_end: 'false' }],
        pause: ['POST', '/pause', {}],
        resume: ['POST', '/resume', {}],
        'begin a period': ['POST', '', { 'billing_cycle_anchor[type]': 'now' }],
        'end a trial': ['POST', '', { trial_end: 'now' }],
        'collect nothing': ['POST', '', { 'pause_collection[behavior]': 'mark_uncollectible' }],
        'keep drafts': ['POST', '', { 'pause_collection[behavior]': 'keep_as_draft' }],
        collect: ['POST', '', { pause_collection: '' }],
        discount: ['POST', '', { 'discounts[0][coupon]': 'third_off' }],
        'no discount': ['POST', '', { discounts: '' }],
        'add an item': [
          'POST',
          '',
          { 'items[0][price]': 'price_weekly', proration_behavior: 'always_invoice' },
        ],
      };
      account.price({ id: 'price_weekly', unitAmount: 450, currency: 'usd', interval: 'week' });
      return {
        books: () => account.books(),
        actions: Object.keys(asked),
        act: async (reference, action) => {
          const [method, path, body] = asked[action] ?? ['GET', '', {}];
          const headers = { authorization: `Bearer ${secretKey}` };
          if (action === 'discount') {
            const coupon = new URLSearchParams({ id: 'third_off', percent_off: '33', duration: 'forever' });
            await fetch(`${urls.a}/v1/coupons`, { method, headers, body: coupon });
          }
          const address = `${urls.a}/v1/subscriptions/${reference}${path}`;
          const answer = await fetch(address, { method, headers, body: new URLSearchParams(body) });
          return answer.status;
        },
        refund,
        takeMoney: async ({ reference }, takes) => {
          const { customerReference } = await world.atProvider({ provider, reference });
          if (customerReference !== null) account.setCard(customerReference, takes ? 'pays' : 'declines');
        },
        dispute: ({ disputable }) => {
          // Every second one begins as an inquiry of the bank.
          const inquiry = account.books().disputes.length % 2 === 1;
          const dispute = account.dispute(disputable ?? '', { inquiry });
          return (outcome) => {
            if (inquiry && outcome === 'lost') account.escalateInquiry(dispute);
            account.closeDispute(dispute, inquiry && outcome === 'won' ? 'warning_closed' : outcome);
          };
        },
        settleRefunds: async (arrive) => {
          const headers = { authorization: `Bearer ${secretKey}` };
          const answer = await fetch(`${urls.a}/v1/refunds?limit=100`, { headers });
          const { data } = (await answer.json()) as { data: { id: string; status: string }[] };
          for (const { id, status } of data) {
            if (status === 'pending') account.settleRefund(id, arrive ? 'succeeded' : 'failed');
          }
          // A bank may also send back what has arrived.
          const latest = data.find(({ status }) => status === 'succeeded');
          if (!arrive && latest !== undefined) account.settleRefund(latest.id, 'failed');
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
        actions: ['suspend', 'activate', 'cancel'],
        act: async (reference, action) => {
          const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
          const signedIn = await fetch(`${urls.b}/v1/oauth2/token`, {
            method: 'POST',
            headers: { authorization: `Basic ${basic}` },
            body: new URLSearchParams({ grant_type: 'client_credentials' }),
          });
          const { access_token: token } = (await signedIn.json()) as { access_token: string };
          const answer = await fetch(`${urls.b}/v1/billing/subscriptions/${reference}/${action}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ reason: 'On the page of the provider.' }),
          });
          return answer.status;
        },
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
      const secretKey = world.secrets.provider_c['secretKey'] ?? '';
      const account = c.controls(secretKey);
      return {
        books: () => account.books(),
        actions: ['disable', 'enable'],
        act: async (code, action) => {
          const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
          const shown = await fetch(`${urls.c}/subscription/${code}`, { headers });
          const { data } = (await shown.json()) as { data: { email_token: string } };
          const body = JSON.stringify({ code, token: data.email_token });
          const answer = await fetch(`${urls.c}/subscription/${action}`, { method: 'POST', headers, body });
          return answer.status;
        },
        answerBanks: (isPaid) => {
          account.settleCharges(isPaid ? 'succeed' : 'decline');
        },
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
