import Stripe from 'stripe';
import { createCore, type CoreOptions } from '../../simulators/core/core';
import { listen } from '../../simulators/core/server';
import { providerA, type AccountSeed } from '../../simulators/provider-a';
import { startReceiver } from './webhook-receiver';

export const SECRET_KEY = 'sk_test_simulated_merchant_0001';
export const WEBHOOK_SECRET = 'whsec_simulated_signing_secret';

/** Starts provider A with one account, a client for it and a receiver of its webhooks. */
export async function startProviderA(options: CoreOptions & { seed?: Partial<AccountSeed> } = {}) {
  const core = createCore({ retryDelaysMs: [60_000], ...options });
  const receiver = await startReceiver();
  const provider = providerA(core);
  const seed = {
    secretKey: SECRET_KEY,
    webhookUrl: `${receiver.url}/v1/webhooks/provider_a`,
    webhookSecret: WEBHOOK_SECRET,
    ...options.seed,
  };
  const account = provider.account(seed);
  const { url, stop } = await listen(provider.app, 0);
  const client = clientAt(url, seed.secretKey);
  return {
    core,
    provider,
    account,
    receiver,
    url,
    client,
    /** Returns the webhooks' events since the last call, in the order of arrival. */
    arrived: async () => {
      await core.outbox.flush();
      return receiver.received.splice(0).map(({ body }) => JSON.parse(body.toString()) as Stripe.Event);
    },
    /** Subscribes a customer, who pays on the hosted page. */
    subscribe: async (price: string, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) => {
      const session = await client.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price, quantity: 1 }],
        success_url: 'http://127.0.0.1:1/paid?session={CHECKOUT_SESSION_ID}',
        cancel_url: 'http://127.0.0.1:1/back',
        ...more,
      });
      await act(session.url, 'pay');
      const paid = await client.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
      return { session: paid, subscription: paid.subscription as Stripe.Subscription };
    },
    stop: async () => {
      await core.outbox.stop();
      await Promise.all([stop(), receiver.stop()]);
    },
  };
}

export function clientAt(url: string, key: string, timeout = 5_000): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    timeout,
  });
}

/** Submits an outcome on the hosted page. */
export function act(page: string | null, outcome: string): Promise<Response> {
  return fetch(String(page), {
    method: 'POST',
    body: new URLSearchParams({ outcome }),
    redirect: 'manual',
  });
}

/** Returns the id of an object that is given as its id or whole. */
export function idOf(reference: string | { id: string } | null | undefined): string {
  return typeof reference === 'object' ? (reference?.id ?? '') : (reference ?? '');
}
