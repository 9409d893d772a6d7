import { randomUUID } from 'node:crypto';
import type { RunningSimulators } from '../../simulators/start';
import { fakeSecret } from '../connections/connection-calls';

interface RefundThere {
  id: string;
  /** Minor units. */
  amount: number;
  status: string;
}

/** Actions of a merchant and the merchant's customer at one provider's simulator. Amounts in minor units. */
export interface ProviderCalls {
  secrets: Record<string, string>;
  currency: string;
  /** Path on which the simulator receives a request to refund the payment; a fault matches a path's prefix. */
  refundPath(payment: string): string;
  /** Creates the account, whose webhooks go to this address. */
  open(webhookUrl: string): void;
  /** Creates a page on which a customer can pay once, and its reference. */
  checkout(amount: number): Promise<{ kind: string; reference: string; pay(): Promise<void> }>;
  /** The same for a monthly subscription. */
  subscribe(amount: number): Promise<{ kind: string; reference: string; pay(): Promise<void> }>;
  /** Refunds in the provider's dashboard, without a request of ours. Returns the refund's reference. */
  refund(payment: string, amount: number): Promise<string>;
  /** Returns all refunds of the payment. */
  refunds(payment: string): Promise<RefundThere[]>;
}

const pages = { success_url: 'http://127.0.0.1:1/paid', cancel_url: 'http://127.0.0.1:1/back' };
const context = { return_url: 'https://shop.example/back', cancel_url: 'https://shop.example/no' };

async function submit(page: string, form: Record<string, string>): Promise<void> {
  const body = new URLSearchParams(form);
  await fetch(page, { method: 'POST', body, redirect: 'manual' });
}

async function read<Answer>(answer: Response): Promise<Answer> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text) as Answer;
}

export function callsOfA({ urls, providers }: RunningSimulators): ProviderCalls {
  const secrets = { secretKey: fakeSecret('sk_test_'), webhookSecret: fakeSecret('whsec_') };
  const { secretKey, webhookSecret } = secrets;
  const ask = async <Answer>(method: 'GET' | 'POST', path: string, form: Record<string, string> = {}) =>
    read<Answer>(
      await fetch(urls.a + path, {
        method,
        headers: { Authorization: `Bearer ${secretKey}`, 'Idempotency-Key': randomUUID() },
        ...(method === 'POST' && { body: new URLSearchParams(form) }),
      }),
    );
  const session = async (form: Record<string, string>) => {
    const made = await ask<{ id: string; url: string }>('POST', '/v1/checkout/sessions', {
      ...form,
      ...pages,
      'line_items[0][quantity]': '1',
    });
    return { kind: 'checkout', reference: made.id, pay: () => submit(made.url, { outcome: 'pay' }) };
  };
  return {
    secrets,
    currency: 'USD',
    refundPath: () => '/v1/refunds',
    open: (webhookUrl) => {
      providers.a.account({ secretKey, webhookUrl, webhookSecret });
    },
    checkout: (amount) =>
      session({
        mode: 'payment',
        'line_items[0][price_data][currency]': 'usd',
        'line_items[0][price_data][unit_amount]': String(amount),
        'line_items[0][price_data][product_data][name]': 'Once',
      }),
    subscribe: (amount) => {
      const account = providers.a.account({ secretKey });
      const price = account.price({ unitAmount: amount, currency: 'usd', interval: 'month' });
      return session({ mode: 'subscription', 'line_items[0][price]': price });
    },
    refund: async (payment, amount) =>
      (await ask<{ id: string }>('POST', '/v1/refunds', { payment_intent: payment, amount: String(amount) }))
        .id,
    refunds: async (payment) =>
      (await ask<{ data: RefundThere[] }>('GET', `/v1/refunds?payment_intent=${payment}`)).data,
  };
}

export function callsOfB({ urls, providers, core }: RunningSimulators): ProviderCalls {
  const secrets = {
    clientId: fakeSecret('client-'),
    clientSecret: fakeSecret('secret-'),
    webhookId: `WH${randomUUID().replaceAll('-', '')}`,
  };
  const { clientId, clientSecret, webhookId } = secrets;
  interface Made {
    id: string;
    links: { rel: string; href: string }[];
  }
  const ask = async <Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const client = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const token = await read<{ access_token: string }>(
      await fetch(`${urls.b}/v1/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${client}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      }),
    );
    const headers = { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return read<Answer>(await fetch(urls.b + path, { method, headers, ...sent }));
  };
  const approve = ({ links }: Made): Promise<void> => {
    const page = links.find(({ rel }) => rel === 'approve' || rel === 'payer-action')?.href ?? '';
    return submit(page, { choice: 'approve' });
  };
  const value = (amount: number): string => (amount / 100).toFixed(2);
  /** Captures and sales of subscriptions have different paths; only a sale is known to version 1 of the API. */
  const pathOf = async (payment: string): Promise<'capture' | 'sale'> =>
    ask('GET', `/v1/payments/sale/${payment}`).then(
      () => 'sale',
      () => 'capture',
    );
  return {
    secrets,
    currency: 'USD',
    refundPath: (payment) => `/v2/payments/captures/${payment}/refund`,
    open: (url) => {
      const price = { value: '29.00', currency_code: 'USD' };
      providers.b.account({
        clientId,
        clientSecret,
        webhooks: [{ id: webhookId, url }],
        plans: [{ id: 'P-BASIC', name: 'Basic', price }],
      });
    },
    checkout: async (amount) => {
      const order = await ask<Made>('POST', '/v2/checkout/orders', {
        intent: 'CAPTURE',
        purchase_units: [{ amount: { currency_code: 'USD', value: value(amount) } }],
        application_context: context,
      });
      const pay = async (): Promise<void> => {
        await approve(order);
        await ask('POST', `/v2/checkout/orders/${order.id}/capture`);
      };
      return { kind: 'order', reference: order.id, pay };
    },
    subscribe: async () => {
      const body = { plan_id: 'P-BASIC', quantity: '1', application_context: context };
      const made = await ask<Made>('POST', '/v1/billing/subscriptions', body);
      return { kind: 'subscription', reference: made.id, pay: () => approve(made) };
    },
    refund: async (payment, amount) => {
      const isCapture = (await pathOf(payment)) === 'capture';
      const body = isCapture
        ? { amount: { value: value(amount), currency_code: 'USD' } }
        : { amount: { total: value(amount), currency: 'USD' } };
      const path = isCapture ? `/v2/payments/captures/${payment}` : `/v1/payments/sale/${payment}`;
      return (await ask<Made>('POST', `${path}/refund`, body)).id;
    },
    // The real provider has no list: each refund has one event of its own, however often it is sent.
    refunds: (payment) => {
      const found = new Map<string, RefundThere>();
      for (const { event, body } of core.outbox.deliveries) {
        const isRefund = event === 'PAYMENT.CAPTURE.REFUNDED' || event === 'PAYMENT.SALE.REFUNDED';
        // A delivery that was never sent has no bytes yet.
        if (!isRefund || body.length === 0) continue;
        const { resource } = JSON.parse(body.toString()) as { resource: WebhookOfB };
        if (!JSON.stringify(resource).includes(payment)) continue;
        const { value: text, total } = resource.amount;
        const amount = Math.abs(Math.round(Number(text ?? total) * 100));
        found.set(resource.id, { id: resource.id, amount, status: 'succeeded' });
      }
      return Promise.resolve([...found.values()]);
    },
  };
}

interface WebhookOfB {
  id: string;
  amount: { value?: string; total?: string };
}

export function callsOfC({ urls, providers }: RunningSimulators): ProviderCalls {
  const secrets = { secretKey: fakeSecret('sk_test_') };
  const email = 'ada@example.com';
  const ask = async <Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Data> => {
    const headers = { authorization: `Bearer ${secrets.secretKey}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await read<{ data: Data }>(await fetch(urls.c + path, { method, headers, ...sent }))).data;
  };
  const initialize = async (body: object) => {
    const made = await ask<{ reference: string; authorization_url: string }>(
      'POST',
      '/transaction/initialize',
      { email, ...body },
    );
    const { reference, authorization_url: page } = made;
    return { kind: 'checkout', reference, pay: () => submit(page, { act: 'pay' }) };
  };
  return {
    secrets,
    currency: 'NGN',
    refundPath: () => '/refund',
    open: (webhookUrl) => {
      const plan = { code: 'PLN_monthly', name: 'Monthly', amount: 2900, currency: 'NGN' } as const;
      providers.c.account({ ...secrets, webhookUrl, plans: [{ ...plan, interval: 'monthly' }] });
    },
    checkout: (amount) => initialize({ amount }),
    subscribe: (amount) => initialize({ amount, plan: 'PLN_monthly' }),
    refund: async (transaction, amount) =>
      String((await ask<{ id: number }>('POST', '/refund', { transaction, amount })).id),
    refunds: async (payment) => {
      const { id } = await ask<{ id: number }>('GET', `/transaction/verify/${payment}`);
      const all = await ask<(RefundThere & { id: number })[]>('GET', `/refund?transaction=${id}`);
      return all.map((refund) => ({ ...refund, id: String(refund.id) }));
    },
  };
}
