import type Stripe from 'stripe';
import type { ConnectionAccess } from '../connection-access';
import type { ConnectionCheck } from '../provider-adapter';
import { reasonOf } from './asking';
import { clientFor } from './client';
import { planReferences } from './plan-references';

/** The path of the service's own endpoint for this provider, on whichever host. */
const WEBHOOK_PATH = '/v1/webhooks/provider_a';
/** What the adapter reads; without these the service would not learn what happens. */
const NEEDED_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'payout.paid',
  'payout.failed',
  'payout.reconciliation_completed',
];
const PAGE = 100;

/** Each check of "Test connection". Without a key that works, nothing but the first could be asked. */
export async function testConnection(access: ConnectionAccess): Promise<ConnectionCheck[]> {
  let client: Stripe;
  let livemode: boolean;
  try {
    client = clientFor(access);
    ({ livemode } = await client.balance.retrieve());
  } catch (error) {
    const notAsked = 'Not tested, because authentication failed.';
    return [
      { check: 'authentication', ok: false, message: reasonOf(error) },
      { check: 'webhook', ok: false, message: notAsked },
      { check: 'plan_references', ok: false, message: notAsked },
      { check: 'mode', ok: false, message: notAsked },
    ];
  }
  return [
    { check: 'authentication', ok: true, message: 'The secret key works.' },
    await checked('webhook', () => webhookProblem(client, access)),
    await checked('plan_references', () => planReferenceProblem(client, access)),
    checkMode(access, livemode),
  ];
}

function checkMode({ apiMode }: ConnectionAccess, livemode: boolean): ConnectionCheck {
  const mode = livemode ? 'live' : 'sandbox';
  const ok = mode === apiMode;
  return {
    check: 'mode',
    ok,
    message: ok
      ? `The key is of ${mode} mode.`
      : `The key is of ${mode} mode, the connection of ${apiMode} mode.`,
  };
}

/** @param problem what is wrong, or undefined */
async function checked(
  check: 'webhook' | 'plan_references',
  problem: () => Promise<string | undefined>,
): Promise<ConnectionCheck> {
  try {
    const wrong = await problem();
    return { check, ok: wrong === undefined, message: wrong ?? FINE[check] };
  } catch (error) {
    return { check, ok: false, message: reasonOf(error) };
  }
}

const FINE = {
  webhook: 'The webhook endpoint is registered and enabled.',
  plan_references: 'Every plan reference is an active recurring price.',
};

async function webhookProblem(client: Stripe, access: ConnectionAccess): Promise<string | undefined> {
  if (!access.secrets['webhookSecret']) return 'The connection has no webhook signing secret.';
  const { data } = await client.webhookEndpoints.list({ limit: PAGE });
  const ours = data.filter(
    ({ url, status }) => status === 'enabled' && new URL(url).pathname === WEBHOOK_PATH,
  );
  if (ours.length === 0) return `No enabled webhook endpoint of the account leads to ${WEBHOOK_PATH}.`;
  const wanted = new Set<string>(ours.flatMap(({ enabled_events: events }) => events));
  const lacking = wanted.has('*') ? [] : NEEDED_EVENTS.filter((type) => !wanted.has(type));
  return lacking.length === 0 ? undefined : `The webhook endpoint does not send ${lacking.join(', ')}.`;
}

async function planReferenceProblem(client: Stripe, access: ConnectionAccess): Promise<string | undefined> {
  const problems: string[] = [];
  for (const [plan, reference] of planReferences(access)) {
    const wrong = await priceProblem(client, reference);
    if (wrong !== undefined) problems.push(`${plan}: ${wrong}`);
  }
  return problems.length === 0 ? undefined : problems.join(' ');
}

async function priceProblem(client: Stripe, reference: string): Promise<string | undefined> {
  try {
    const { active, recurring } = await client.prices.retrieve(reference);
    if (!active) return `the price ${reference} is not active.`;
    return recurring === null ? `the price ${reference} is not recurring.` : undefined;
  } catch (error) {
    return `${reference} could not be found. ${reasonOf(error)}`;
  }
}
