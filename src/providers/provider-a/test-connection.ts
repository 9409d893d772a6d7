import Stripe from 'stripe';
import type { ConnectionAccess } from '../connection-access';
import type { ConnectionCheck } from '../provider-adapter';
import { reasonOf } from './outcomes';
import { clientFor } from './client';
import { missingPermissions } from './missing-permissions';
import { planReferencesOf } from '../plan-references';

/** The path of the service's webhook endpoint for this provider, on any host. */
const WEBHOOK_PATH = '/v1/webhooks/provider_a';
/** Events that the adapter reads; without them the service would miss changes. */
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

/** Runs each check of "Test connection". Without a valid key only the first can run. */
export async function testConnection(access: ConnectionAccess): Promise<ConnectionCheck[]> {
  let client: Stripe;
  let livemode: boolean;
  try {
    client = clientFor(access);
    livemode = await isLive(client, access);
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
    ...(isRestricted(access) ? [await checked('permissions', () => findPermissions(client))] : []),
    await checked('webhook', () => findWebhook(client, access)),
    await checked('plan_references', () => findPlanReferences(client, access)),
    checkMode(access, livemode),
  ];
}

/** A key that may not read the balance is valid, and states its mode itself. */
async function isLive(client: Stripe, { secrets }: ConnectionAccess): Promise<boolean> {
  try {
    return (await client.balance.retrieve()).livemode;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
    return secrets['secretKey']?.includes('_live_') === true;
  }
}

function isRestricted({ secrets }: ConnectionAccess): boolean {
  return secrets['secretKey']?.startsWith('rk_') === true;
}

async function findPermissions(client: Stripe): Promise<Finding> {
  const missing = await missingPermissions(client);
  if (missing.length === 0) return { fine: 'The restricted key has every permission that it needs.' };
  const named = missing.map(({ resource, level }) => `${resource} (${level})`).join(', ');
  return { problem: `The restricted key lacks permissions. Grant them at the payment provider: ${named}.` };
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

/** Result of a check: the problem, or a message if there is none. */
type Finding = { problem: string } | { fine: string };

async function checked(
  check: 'permissions' | 'webhook' | 'plan_references',
  find: () => Promise<Finding>,
): Promise<ConnectionCheck> {
  try {
    const finding = await find();
    if ('problem' in finding) return { check, ok: false, message: finding.problem };
    return { check, ok: true, message: finding.fine };
  } catch (error) {
    return { check, ok: false, message: reasonOf(error) };
  }
}

/**
 * Finds the account's webhook endpoint for this connection. An address that names another connection leads to that one.
 * An address that names none is tried against every candidate connection, which works but costs more.
 */
async function findWebhook(client: Stripe, access: ConnectionAccess): Promise<Finding> {
  if (!access.secrets['webhookSecret']) return { problem: 'The connection has no webhook signing secret.' };
  const { data } = await client.webhookEndpoints.list({ limit: PAGE });
  const here = data.flatMap(({ url, status, enabled_events: events }) => {
    const { pathname, searchParams } = new URL(url);
    if (status !== 'enabled' || pathname !== WEBHOOK_PATH) return [];
    return [{ names: searchParams.get('connection'), events }];
  });
  if (here.length === 0) {
    return { problem: `No enabled webhook endpoint of the account leads to ${WEBHOOK_PATH}.` };
  }
  const address = `${WEBHOOK_PATH}?connection=${access.connectionId}`;
  const ours = here.filter(({ names }) => names === null || names === access.connectionId);
  if (ours.length === 0) {
    return {
      problem: `No enabled webhook endpoint of the account leads to ${address}: those that there are name other connections.`,
    };
  }
  const wanted = new Set<string>(ours.flatMap(({ events }) => events));
  const lacking = wanted.has('*') ? [] : NEEDED_EVENTS.filter((type) => !wanted.has(type));
  if (lacking.length > 0) return { problem: `The webhook endpoint does not send ${lacking.join(', ')}.` };
  const fine = 'The webhook endpoint is registered and enabled.';
  if (ours.some(({ names }) => names !== null)) return { fine };
  return {
    fine: `${fine} Its address does not name this connection; better register the one that the connection shows, which ends with ${address}.`,
  };
}

async function findPlanReferences(client: Stripe, access: ConnectionAccess): Promise<Finding> {
  const problems: string[] = [];
  for (const [plan, reference] of planReferencesOf(access.settings)) {
    const wrong = await priceProblem(client, reference);
    if (wrong !== undefined) problems.push(`${plan}: ${wrong}`);
  }
  return problems.length === 0
    ? { fine: 'Every plan reference is an active recurring price.' }
    : { problem: problems.join(' ') };
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
