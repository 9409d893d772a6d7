import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import path from 'node:path';
import { providerA } from '../../src/providers/provider-a/adapter';
import { NEEDED_PERMISSIONS } from '../../src/providers/provider-a/missing-permissions';
import { DAY_MS } from '../../src/domain/instant';
import { startOperations } from '../providers/provider-a/operations-world';
import { useStarted } from '../support/use-started';

const PAGE = path.join(__dirname, '..', '..', 'docs', 'payment-providers.md');
const ROW = /^\| (?<resource>[^|]+?) +\| (?<level>Read|Write) +\| (?<paths>`\/v1\/[^|]+?) +\|/;
const REQUEST_START = 'http.client.request.start';

/** Operations that send nothing to provider A. */
const SEND_NOTHING = ['provider', 'readEvent', 'verifyWebhook', 'captureCheckout'];

interface Permission {
  resource: string;
  level: string;
}

/** Returns the documented permission of each path of the API. */
function documented(): Map<string, Permission> {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const { resource = '', level = '', paths = '' } = ROW.exec(line)?.groups ?? {};
      return [...paths.matchAll(/`([^`]+)`/g)].map(([, at = '']) => [at, { resource, level }] as const);
    });
  return new Map(rows);
}

/** `GET /v1/invoices/in_1?…` is a read of `/v1/invoices`. */
function collectionOf(requestPath: string): string {
  return /^\/v1\/(?:checkout\/)?\w+/.exec(requestPath)?.[0] ?? requestPath;
}

const world = useStarted(startOperations);
/** Method and collection of each request that the adapter has sent. */
const sent = new Set<string>();
const record = (message: unknown): void => {
  const { method, path: at } = (message as { request: ClientRequest }).request;
  sent.add(`${method} ${collectionOf(at)}`);
};
const called = new Set<string>();

/** Calls an operation of the adapter, and records its requests. */
async function call<Name extends keyof typeof providerA>(
  name: Name,
  ...input: (typeof providerA)[Name] extends ((...input: infer Input) => unknown) | undefined ? Input : never
): Promise<void> {
  called.add(name);
  const operation = providerA[name] as unknown as (...all: unknown[]) => Promise<unknown>;
  subscribe(REQUEST_START, record);
  try {
    await operation(...(input as unknown[]));
  } finally {
    unsubscribe(REQUEST_START, record);
  }
}

test('a restricted key needs the permissions that the page lists, and no others', async () => {
  const { access, account, client, core } = world;
  const { id, session, payment, invoice } = await world.paid();
  const start = core.clock.now();
  await call('testConnection', access);
  await call('fetchPlanPrice', access, world.basic);
  await call('createCheckout', access, world.checkout());
  await call('fetchCheckout', access, { kind: 'checkout', reference: session });
  const [open = ''] = account.sessions().slice(-1);
  await call('expireCheckout', access, { kind: 'checkout', reference: open });
  await call('changeSubscription', access, world.change(id));
  await call('changeSubscription', access, {
    ...world.change(id, { planReference: world.basic }),
    proration: 'none',
  });
  await client.subscriptionSchedules.create({ from_subscription: id });
  await call('cancelSubscription', access, world.renewal(id));
  await call('reactivateSubscription', access, world.renewal(id));
  await call('fetchSubscription', access, id);
  await call('fetchBilledSubscription', access, id);
  await call('fetchPaymentPage', access, id);
  // More items than the provider sends with a subscription.
  const items = Array.from({ length: 10 }, () => ({ price: world.price(100) }));
  await client.subscriptions.update(id, { items, proration_behavior: 'none' });
  await call('fetchSubscription', access, id);

  await call('refundPayment', access, world.refund(payment));
  await call('refundPayment', access, { ...world.refund(payment), repeated: true });
  const { latest_charge: latest } = await client.paymentIntents.retrieve(payment);
  const charge = typeof latest === 'string' ? latest : (latest?.id ?? '');
  const [refund] = (await client.refunds.list({ payment_intent: payment })).data;
  const dispute = account.dispute(charge);
  for (const [kind, reference] of [
    ['payment', payment],
    ['charge', charge],
    ['invoice', invoice],
    ['checkout', session],
  ] as const)
    await call('fetchPayment', access, kind, reference);
  await call('fetchRefund', access, refund?.id ?? '');
  await call('fetchRefundsOf', access, payment);
  for (const [kind, reference] of [
    ['charge', charge],
    ['refund', refund?.id ?? ''],
    ['dispute', dispute],
  ] as const)
    await call('fetchCollected', access, { kind, reference });
  await call('listPayments', access, id, 0);
  await call('listDisputes', access, 0);
  const [payout = ''] = account.payOut();
  await core.clock.advanceTo(start + DAY_MS);
  await call('fetchSettlement', access, payout);
  await call('listSettlements', access, { from: start - DAY_MS, to: start + 3 * DAY_MS });

  expect([...called, ...SEND_NOTHING].sort()).toEqual(Object.keys(providerA).sort());
  const writes = new Set([...sent].filter((one) => !one.startsWith('GET')).map((one) => one.split(' ')[1]));
  const resources = documented();
  const needed = [...new Set([...sent].map((one) => one.split(' ')[1] ?? ''))].sort();
  expect([...resources.keys()].sort()).toEqual(needed);
  for (const resource of new Set([...resources.values()].map((one) => one.resource))) {
    const paths = needed.filter((one) => resources.get(one)?.resource === resource);
    const level = paths.some((one) => writes.has(one)) ? 'Write' : 'Read';
    expect([resource, resources.get(paths[0] ?? '')?.level]).toEqual([resource, level]);
  }
});

test('"Test connection" asks for each permission that the page lists', () => {
  const listed = [...documented().values()].map(({ resource, level }) => `${resource} ${level}`);
  expect(NEEDED_PERMISSIONS.map(({ resource, level }) => `${resource} ${level}`)).toEqual([
    ...new Set(listed),
  ]);
});
