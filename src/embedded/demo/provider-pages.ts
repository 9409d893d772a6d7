import { z } from 'zod';
import type { DemoFile } from './demo-file';
import type { PaymentProvider } from '../../domain/provider';

const TIMEOUT_MS = 15_000;
/** Form data of each provider's page to pay or approve. */
const AGREE: Record<PaymentProvider, Record<string, string>> = {
  provider_a: { outcome: 'pay' },
  provider_b: { choice: 'approve' },
  provider_c: { act: 'pay' },
};

const subscriptionAtA = z.object({
  customer: z.string(),
  items: z.object({ data: z.tuple([z.object({ id: z.string(), quantity: z.number() })]) }),
});

/**
 * Presses the button on a simulated provider's page that pays or approves. A page with nothing left to do was used by
 * an earlier start, and the subscription will reflect it soon.
 *
 * @throws Error if there is no such page, or the provider fails
 */
export async function agreeOnPage(provider: PaymentProvider, page: string): Promise<void> {
  const answer = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams(AGREE[provider]),
    // The redirect target does not matter.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await answer.body?.cancel();
  if (answer.status === 404 || answer.status >= 500)
    throw new Error(`the page ${page} answered ${answer.status}`);
}

/**
 * Adds a seat at provider A directly, as its dashboard would, payable at once with a card that declines: the
 * subscription is past due there, and has one seat more than here.
 *
 * @param reference provider A's own id of the subscription
 */
export async function addUnpaidSeat(demo: DemoFile, reference: string): Promise<void> {
  const { simulators, connections } = demo;
  const { secretKey } = connections.provider_a.secrets;
  const url = `${simulators.a}/v1/subscriptions/${reference}`;
  const headers = { Authorization: `Bearer ${secretKey}` };
  const { customer, items } = subscriptionAtA.parse(await (await call(url, { headers })).json());
  const [{ id, quantity }] = items.data;
  await call(`${simulators.control}/a/actions`, {
    method: 'POST',
    body: JSON.stringify({ action: 'set_card', secretKey, customer, card: 'declines' }),
  });
  await call(url, {
    method: 'POST',
    headers,
    body: new URLSearchParams({
      'items[0][id]': id,
      'items[0][quantity]': String(quantity + 1),
      proration_behavior: 'always_invoice',
      payment_behavior: 'allow_incomplete',
    }),
  });
}

async function call(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
