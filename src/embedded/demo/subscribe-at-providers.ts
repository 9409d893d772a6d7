import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription-types';
import { createDemoClient, type DemoClient } from './demo-client';
import type { DemoFile } from './demo-file';
import { PROVIDER_CUSTOMERS, type DemoAct, type ProviderCustomer } from './provider-customers';
import { addUnpaidSeat, agreeOnPage } from './provider-pages';
import type { PaymentProvider } from '../../domain/provider';

/** How often a subscription is polled until it is in the expected state. */
const POLL_INTERVAL_MS = 500;
/** Metadata of a customer whose setup is complete. */
const COMPLETE = { demo: 'complete' } as const;

const customerAnswer = z.object({ metadata: z.record(z.string(), z.unknown()) });
const checkoutAnswer = z.object({ subscriptionId: z.string(), url: z.string().nullable() });
const subscriptionAnswer = z.object({
  status: z.enum(SUBSCRIPTION_STATUSES),
  providerReference: z.string().nullable(),
  pendingApproval: z.object({ approvalUrl: z.string().nullable() }).nullable(),
});
type Shown = z.output<typeof subscriptionAnswer>;

export interface SubscribedAtProviders {
  /** Customers that reached their demo state for the first time. */
  made: number;
  /** Why others did not, each starting with the customer's name. */
  failures: string[];
}

/**
 * Subscribes the demo's customers at the simulated providers through the running service, pays on the providers' pages,
 * and brings each into its state. Customers completed by an earlier start are left unchanged, and unfinished ones are
 * continued.
 *
 * @param ended ends it early; the rest is done by the next start
 */
export async function subscribeAtProviders(
  demo: DemoFile,
  ended: AbortSignal,
): Promise<SubscribedAtProviders> {
  const client = await createDemoClient(demo, ended);
  const results = await Promise.allSettled(
    PROVIDER_CUSTOMERS.map((customer) => subscribe({ demo, client, ended }, customer)),
  );
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected'
      ? [`${PROVIDER_CUSTOMERS[index]?.externalId ?? ''}: ${String(result.reason)}`]
      : [],
  );
  return { made: results.filter((result) => result.status === 'fulfilled' && result.value).length, failures };
}

interface Making {
  demo: DemoFile;
  client: DemoClient;
  ended: AbortSignal;
}

/** @returns false if an earlier start had completed it */
async function subscribe(making: Making, customer: ProviderCustomer): Promise<boolean> {
  const { client, demo } = making;
  const { externalId, name, provider, plan, seats, acts } = customer;
  const path = `/v1/customers/${externalId}`;
  const known = await client.sandbox({ method: 'GET', path });
  if (known.status === 200 && customerAnswer.parse(known.body).metadata['demo'] === COMPLETE.demo)
    return false;
  const described = { name, email: `billing@${externalId.replaceAll('_', '-')}.example` };
  await client.sandbox({ method: 'PUT', path, body: described });
  const { body } = await client.console({
    method: 'POST',
    path: '/billing/checkouts',
    body: { externalId, planSlug: plan, seats, connectionId: demo.connections[provider].id },
    idempotencyKey: `demo-${externalId}-checkout`,
  });
  const { subscriptionId, url } = checkoutAnswer.parse(body);
  if (acts !== undefined) {
    const subscription = await show(making, subscriptionId);
    if (subscription.status === 'incomplete' && url !== null) await agreeOnPage(provider, url);
    await until(making, subscriptionId, ({ status }) => status !== 'incomplete');
    for (const [index, act] of acts.entries()) {
      await carryOut(making, { subscriptionId, provider, key: `demo-${externalId}-${index}` }, act);
    }
  }
  await client.sandbox({ method: 'PUT', path, body: { ...described, metadata: COMPLETE } });
  return true;
}

async function carryOut(
  making: Making,
  { subscriptionId, provider, key }: { subscriptionId: string; provider: PaymentProvider; key: string },
  act: DemoAct,
): Promise<void> {
  const command = (name: 'change' | 'cancel', body: object): Promise<unknown> => {
    const path = `/billing/subscriptions/${subscriptionId}/${name}`;
    return making.client.console({ method: 'POST', path, body, idempotencyKey: key });
  };
  switch (act.act) {
    case 'change':
      await command('change', act.to);
      return;
    case 'cancel':
      await command('cancel', {});
      return;
    case 'approve': {
      const page = (await show(making, subscriptionId)).pendingApproval?.approvalUrl;
      if (typeof page === 'string') await agreeOnPage(provider, page);
      await until(making, subscriptionId, ({ pendingApproval }) => pendingApproval === null);
      return;
    }
    case 'seat_with_declined_card': {
      const { status, providerReference } = await show(making, subscriptionId);
      if (status === 'active' && providerReference !== null)
        await addUnpaidSeat(making.demo, providerReference);
      await until(making, subscriptionId, (shown) => shown.status === 'past_due');
      return;
    }
  }
}

async function show({ client }: Making, id: string): Promise<Shown> {
  const { body } = await client.console({ method: 'GET', path: `/billing/subscriptions/${id}` });
  return subscriptionAnswer.parse(body);
}

/** Polls until webhooks, or the workflows' polls that replace lost ones, have updated the subscription. */
async function until(making: Making, id: string, isThere: (shown: Shown) => boolean): Promise<void> {
  while (!isThere(await show(making, id))) await pause(POLL_INTERVAL_MS);
}
