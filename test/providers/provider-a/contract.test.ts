import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type Stripe from 'stripe';
import type { ConnectionAccess } from '../../../src/providers/connection-access';
import { providerA } from '../../../src/providers/provider-a/adapter';
import { clientAt } from '../../simulators/provider-a-world';
import { listenLocally } from '../../support/listen-locally';

/**
 * stripe-mock checks requests against the provider's own API description and refuses those that do not fit. It has no
 * state, so every id is found. It shows that requests are well formed, not that they have the right effect.
 */
const mock = findMock();
const withMock = mock === undefined ? describe.skip : describe;

withMock('requests in the eyes of stripe-mock', () => {
  const key = 'sk_test_notArealKey123';
  let server: ChildProcess;
  let url: string;
  let access: ConnectionAccess;
  let renewing: Server;

  beforeAll(async () => {
    const anyPort = ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'];
    server = spawn(String(mock), anyPort, { stdio: ['ignore', 'pipe', 'ignore'] });
    url = await listeningUrl(server);
    renewing = renewingAt(url);
    access = {
      connectionId: 'conn_1',
      apiMode: 'sandbox',
      secretVersion: 1,
      secrets: { secretKey: key, webhookSecret: 'whsec_not_a_real_secret' },
      settings: { planReferences: { pro: 'price_1' } },
      baseUrl: url,
    };
  });
  afterAll(async () => {
    renewing.close();
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
  });

  test('the provider accepts the adapter’s requests, and the adapter reads the answers', async () => {
    expect((await providerA.fetchSubscription(access, 'sub_1')).kind).toBe('done');
    for (const kind of ['payment', 'charge', 'invoice'] as const) {
      expect(await providerA.fetchPayment(access, kind, 'x_1')).toMatchObject({ kind: 'done' });
    }
    expect((await providerA.fetchRefund(access, 're_1')).kind).toBe('done');
    expect((await providerA.fetchSettlement?.(access, 'po_1'))?.kind).toBe('done');
    const checks = await providerA.testConnection(access);
    expect(checks.filter(({ message }) => message.includes('answered'))).toEqual([]);
    expect(checks.find(({ check }) => check === 'authentication')).toMatchObject({ ok: true });
  });

  test('what the operations send is well formed', async () => {
    const sending = { key: 'op_1', repeated: true };
    const checkout = {
      ...sending,
      checkoutId: 'chk_1',
      workspaceId: 'ws_1',
      customer: { customerId: 'cus_ours', reference: null, email: 'ada@example.test', name: null },
      successUrl: 'https://example.test/paid',
      cancelUrl: 'https://example.test/back',
      expiresAt: 1_790_000_000_000,
    };
    const money = { amount: 1_250n, currency: 'USD' };
    const plan = { planReference: 'price_2', quantity: 2 };
    const offers = [
      { kind: 'subscription', subscriptionId: 'sub_ours', ...plan, ...money },
      { kind: 'payment', description: '100 credits', ...money },
    ] as const;
    for (const offer of offers) {
      expect(await providerA.createCheckout(access, { ...checkout, offer })).toMatchObject({ kind: 'done' });
    }
    const session = { kind: 'checkout', reference: 'cs_1' } as const;
    const change = {
      ...sending,
      ...plan,
      reference: 'sub_1',
      returnUrl: 'https://x.test',
      cancelUrl: 'https://x.test',
    };
    const renewal = { ...sending, reference: 'sub_1', reason: 'The customer cancelled.' };
    const refund = { ...sending, ...money, refundId: 'ref_1' };
    // No charge is sent for a subscription that ends with its period or is not collected, as that of the fixtures.
    const renewingAccess = { ...access, baseUrl: `http://127.0.0.1:${await listenLocally(renewing)}` };
    // Its fixtures ignore the requested values, but it refuses requests that are malformed.
    const outcomes = [
      await providerA.fetchCheckout(access, session),
      await providerA.expireCheckout(access, session),
      await providerA.changeSubscription(renewingAccess, { ...change, proration: 'invoice_now' }),
      await providerA.changeSubscription(access, { ...change, proration: 'none' }),
      await providerA.cancelSubscription(access, renewal),
      await providerA.reactivateSubscription(access, renewal),
      await providerA.refundPayment(access, { ...refund, payment: { kind: 'payment', reference: 'pi_1' } }),
      await providerA.refundPayment(access, { ...refund, payment: { kind: 'charge', reference: 'ch_1' } }),
      await providerA.listSettlements(access, { from: 0, to: 1_790_000_000_000 }),
    ];
    expect(outcomes.filter(({ kind }) => kind === 'declined')).toEqual([]);
  });

  test('the parameters that the simulator takes are parameters of the original, and those it refuses are not', async () => {
    const client = clientAt(url, key);
    await client.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: 'price_1', quantity: 2 }],
      success_url: 'https://example.test/paid',
      cancel_url: 'https://example.test/back',
      client_reference_id: 'chk_1',
      customer_email: 'ada@example.test',
      metadata: { checkout: 'chk_1' },
      subscription_data: { metadata: { checkout: 'chk_1' }, trial_period_days: 14 },
    });
    await client.subscriptions.update('sub_1', {
      items: [{ id: 'si_1', price: 'price_1', quantity: 2 }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
      cancellation_details: { comment: 'The customer cancelled.', feedback: 'other' },
      metadata: { change: 'chg_1' },
    });
    await client.subscriptions.update('sub_1', { cancel_at_period_end: true });
    await client.invoices.createPreview({
      subscription: 'sub_1',
      subscription_details: {
        items: [{ id: 'si_1', price: 'price_1' }],
        proration_behavior: 'always_invoice',
      },
    });
    await client.refunds.create({
      payment_intent: 'pi_1',
      amount: 5,
      reason: 'requested_by_customer',
      metadata: { refund: 'ref_1' },
    });
    const wrong = { colour: 'red' } as Stripe.SubscriptionUpdateParams;
    await expect(client.subscriptions.update('sub_1', wrong)).rejects.toMatchObject({ statusCode: 400 });
  });
});

/** Returns a server that forwards requests to `url`, and answers that a subscription renews and is collected. */
function renewingAt(url: string): Server {
  return createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = await fetch(`${url}${request.url ?? ''}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headersDistinct)
          .filter(([name]) => /^(?:authorization|content-type|idempotency-key|stripe-.*)$/u.test(name))
          .map(([name, values]): [string, string] => [name, String(values)]),
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const body = (await answer.json()) as { object?: unknown };
      const renews = {
        cancel_at_period_end: false,
        cancel_at: null,
        canceled_at: null,
        ended_at: null,
        pause_collection: null,
      };
      response.writeHead(answer.status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body.object === 'subscription' ? { ...body, ...renews } : body));
    })();
  });
}

/** Returns undefined, with a message, if neither the program nor a Go toolchain to build it is available. */
function findMock(): string | undefined {
  const script = path.join(__dirname, '../../../scripts/toolchain/stripe-mock.mjs');
  try {
    return execFileSync(process.execPath, [script], {
      encoding: 'utf8',
      timeout: 300_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  } catch (error) {
    process.stderr.write(
      `The contract test of provider A is skipped. ${String((error as { stderr?: unknown }).stderr).trim()}\n`,
    );
    return undefined;
  }
}

/**
 * Returns the address the server reports. It chooses its own port, so that no other server can already listen there.
 */
async function listeningUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('stripe-mock was started without its output.');
  for await (const line of createInterface(child.stdout)) {
    const address = /^Listening for HTTP at address: (?<address>\S+)$/u.exec(line)?.groups?.['address'];
    if (address !== undefined) return `http://${address}`;
  }
  throw new Error('stripe-mock ended before it listened.');
}
