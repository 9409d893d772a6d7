import { z } from 'zod';
import type { ConnectionAccess } from '../connection-access';
import { planReferencesOf } from '../plan-references';
import type { ConnectionCheck } from '../provider-adapter';
import { pathOf } from './address';
import type { ProviderBClient } from './client';
import { ProviderBFailure } from './failure';

type Result = Pick<ConnectionCheck, 'ok' | 'message'>;

/** Events without which renewals, refunds or the end of a subscription would go unnoticed. */
const NEEDED_EVENTS = [
  'BILLING.SUBSCRIPTION.ACTIVATED',
  'BILLING.SUBSCRIPTION.UPDATED',
  'BILLING.SUBSCRIPTION.CANCELLED',
  'BILLING.SUBSCRIPTION.SUSPENDED',
  'BILLING.SUBSCRIPTION.EXPIRED',
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
  'PAYMENT.SALE.COMPLETED',
  'PAYMENT.SALE.DENIED',
  'PAYMENT.SALE.REFUNDED',
  'PAYMENT.SALE.REVERSED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'CHECKOUT.ORDER.APPROVED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
];
const ALL_EVENTS = '*';

const webhookObject = z.object({ event_types: z.array(z.object({ name: z.string() })) });
const planObject = z.object({ status: z.string() });

/** Tests the connection at provider B. Returns a result for each check, including those that could not be made. */
export async function testConnection(
  client: ProviderBClient,
  access: ConnectionAccess,
): Promise<ConnectionCheck[]> {
  const authentication = await result(async () => {
    await client.signIn(access);
    return { ok: true, message: 'Provider B accepts the client id and the client secret.' };
  });
  if (!authentication.ok) {
    const message = 'Not checked, because provider B did not accept the credentials.';
    const others = (['webhook', 'plan_references', 'mode'] as const).map((check) => ({
      check,
      ok: false,
      message,
    }));
    return [{ check: 'authentication', ...authentication }, ...others];
  }
  return [
    { check: 'authentication', ...authentication },
    { check: 'webhook', ...(await result(() => checkWebhook(client, access))) },
    { check: 'plan_references', ...(await checkPlans(client, access)) },
    // Credentials of one mode do not exist at the other mode's address.
    { check: 'mode', ok: true, message: `The credentials belong to the ${access.apiMode} mode.` },
  ];
}

async function checkWebhook(client: ProviderBClient, access: ConnectionAccess): Promise<Result> {
  const { webhookId = '' } = access.secrets;
  if (webhookId === '') {
    return { ok: false, message: 'The webhook id is missing; no webhook can be verified without it.' };
  }
  const webhook = await client.get(access, pathOf('/v1/notifications/webhooks/', webhookId), webhookObject);
  const subscribed = webhook.event_types.map(({ name }) => name);
  const missing = subscribed.includes(ALL_EVENTS) ? [] : NEEDED_EVENTS.filter((e) => !subscribed.includes(e));
  return missing.length === 0
    ? { ok: true, message: 'Provider B knows the webhook, and sends it every event that is needed.' }
    : { ok: false, message: `The webhook is not subscribed to ${missing.join(', ')}.` };
}

async function checkPlans(client: ProviderBClient, access: ConnectionAccess): Promise<Result> {
  const references = [...new Set(planReferencesOf(access.settings).values())];
  const problems: string[] = [];
  for (const reference of references) {
    const { ok, message } = await result(async () => {
      const { status } = await client.get(access, pathOf('/v1/billing/plans/', reference), planObject);
      return { ok: status === 'ACTIVE', message: `is ${status}` };
    });
    if (!ok) problems.push(`${reference}: ${message}`);
  }
  if (problems.length > 0) return { ok: false, message: problems.join(' ') };
  return {
    ok: true,
    message:
      references.length === 0
        ? 'No plan references are set.'
        : `All plan references (${references.length}) name active plans.`,
  };
}

async function result(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ProviderBFailure)) throw error;
    return { ok: false, message: error.message };
  }
}
