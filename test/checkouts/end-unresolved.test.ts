import { DAY_MS } from '../../src/domain/instant';
import { providerA } from '../../src/providers/provider-a/adapter';
import { providerC } from '../../src/providers/provider-c/adapter';
import type { ProviderAdapter } from '../../src/providers/provider-adapter';
import type { CheckoutFacts } from '../../src/providers/provider-operations';
import { ProviderCheckoutBench, type ShownCheckout } from './provider-checkout-bench';
import { useStarted } from '../support/use-started';

const bench = useStarted(() => ProviderCheckoutBench.start());
afterEach(() => {
  jest.restoreAllMocks();
});
/** Changes what the provider reports about its checkouts from now on. */
function shows(adapter: ProviderAdapter, change: (facts: CheckoutFacts) => Partial<CheckoutFacts>): void {
  const real = adapter.fetchCheckout.bind(adapter);
  jest.spyOn(adapter, 'fetchCheckout').mockImplementation(async (access, reference) => {
    const found = await real(access, reference);
    return found.kind === 'done' ? { ...found, value: { ...found.value, ...change(found.value) } } : found;
  });
}

async function daysAfterDeadline({ id, expiresAt }: ShownCheckout, days: number): Promise<ShownCheckout> {
  await bench.unheard(id, Date.parse(expiresAt) + days * DAY_MS);
  return bench.show(id);
}

async function isLookedFor({ id }: ShownCheckout): Promise<boolean> {
  const [row] = await bench.rows('SELECT next_wake_at FROM tollgate.checkouts WHERE id = $1', [id]);
  return row?.['next_wake_at'] !== null;
}

/** Returns how many late wakes the sweep would find, and the metric count, days after the deadline. */
async function lateWakes({ expiresAt }: ShownCheckout, days: number): Promise<unknown> {
  const at = Date.parse(expiresAt) + days * DAY_MS;
  const [clock] = await bench.rows('SELECT max(offset_ms)::float8 AS ahead FROM tollgate.sandbox_clocks', []);
  const [late] = await bench.rows(
    `SELECT (SELECT count(*)::int FROM tollgate.find_overdue_subscriptions($1, 100, 'sandbox')) AS subscriptions,
            (SELECT count(*)::int FROM tollgate.find_overdue_checkouts($1, 100, 'sandbox')) AS checkouts,
            (SELECT items::int FROM tollgate.measure_backlog($2, 100)
              WHERE backlog = 'overdue_wakes' AND environment = 'sandbox') AS measured`,
    // The sweep adds the sandbox's offset; the metric measures it in real time.
    [new Date(at - Number(clock?.['ahead'] ?? 0)), new Date(at)],
  );
  return late;
}

test('while a paid checkout is awaited after its deadline, its subscription is not late', async () => {
  shows(providerC, () => ({ subscriptionReference: null }));
  const checkout = await bench.offer('provider_c');
  bench.world.simulators.core.outbox.switches.drop = true;
  await bench.pay('provider_c', checkout);
  await daysAfterDeadline(checkout, 2);
  expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'incomplete' });
  expect(await lateWakes(checkout, 2)).toEqual({ subscriptions: 0, checkouts: 0, measured: 0 });
  // Its checkout is, when nothing reads the provider.
  expect(await lateWakes(checkout, 3)).toEqual({ subscriptions: 0, checkouts: 1, measured: 1 });
  await daysAfterDeadline(checkout, 4);
});

test('paid, and the provider does not say what began: after days it is over, and an event says so once', async () => {
  shows(providerC, () => ({ subscriptionReference: null }));
  const checkout = await bench.offer('provider_c');
  bench.world.simulators.core.outbox.switches.drop = true;
  await bench.pay('provider_c', checkout);
  expect(await daysAfterDeadline(checkout, 2)).toMatchObject({ status: 'open', failure: null });

  const over = await daysAfterDeadline(checkout, 4);
  expect(over.status).toBe('expired');
  expect(over.failure).toContain('paid 30.00 USD for pro, and the payment provider does not report');
  expect(await isLookedFor(checkout)).toBe(false);
  expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'expired' });
  await daysAfterDeadline(checkout, 5);
  expect(await bench.eventsOf('SUBSCRIPTION_CREATED', checkout.id)).toMatchObject([
    { status: 'ERROR', data: { change: 'activation_refused' } },
  ]);
});

test('paid, and the provider is first polled days after the deadline and does not answer then: it is polled again', async () => {
  const checkout = await bench.offer('provider_c');
  bench.world.simulators.core.outbox.switches.drop = true;
  await bench.pay('provider_c', checkout);
  const noAnswer = { kind: 'unknown', reason: 'no answer' } as const;
  jest.spyOn(providerC, 'fetchCheckout').mockResolvedValueOnce(noAnswer).mockResolvedValueOnce(noAnswer);
  expect(await daysAfterDeadline(checkout, 4)).toMatchObject({ status: 'open', failure: null });
  expect(await daysAfterDeadline(checkout, 6)).toMatchObject({ status: 'open', failure: null });
  expect(await isLookedFor(checkout)).toBe(true);

  expect(await daysAfterDeadline(checkout, 8)).toMatchObject({ status: 'complete' });
  expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'active' });
});

test('a payment that a bank never decides is awaited for a month, and reported once', async () => {
  shows(providerA, ({ payment }) => ({
    payment: payment && { ...payment, status: 'pending' },
  }));
  const checkout = await bench.ask('provider_a');
  bench.world.simulators.core.outbox.switches.drop = true;
  await bench.pay('provider_a', checkout);
  const noAnswer = { kind: 'unknown', reason: 'no answer' } as const;
  const polled = jest.spyOn(providerA, 'fetchCheckout');
  polled.mockResolvedValueOnce(noAnswer);
  await daysAfterDeadline(checkout, -1 / 24);
  expect(await daysAfterDeadline(checkout, 10)).toMatchObject({ status: 'open', failure: null });
  polled.mockResolvedValueOnce(noAnswer);
  expect(await daysAfterDeadline(checkout, 12)).toMatchObject({ status: 'open', failure: null });
  expect(await daysAfterDeadline(checkout, 20)).toMatchObject({ status: 'open', failure: null });
  expect(await isLookedFor(checkout)).toBe(true);

  const over = await daysAfterDeadline(checkout, 31);
  expect(over.status).toBe('expired');
  expect(over.failure).toContain('does not report whether it was paid');
  expect(await isLookedFor(checkout)).toBe(false);

  // As a webhook about it would do.
  await bench.rows('UPDATE tollgate.checkouts SET next_wake_at = now() WHERE id = $1', [checkout.id]);
  polled.mockResolvedValueOnce(noAnswer);
  await daysAfterDeadline(checkout, 32);
  expect(await isLookedFor(checkout)).toBe(true);
  expect(await daysAfterDeadline(checkout, 33)).toMatchObject({ status: 'expired', failure: over.failure });
  expect(await isLookedFor(checkout)).toBe(false);
  expect(await bench.eventsOf('PAYMENT_RECORDED', checkout.id)).toMatchObject([{ status: 'ERROR' }]);
});

test.each(['of a plan', 'of an amount'])(
  'a checkout %s that nobody is known to have gone through ends with an event where its provider cannot be read, once',
  async (kind) => {
    const isPlan = kind === 'of a plan';
    const checkout = isPlan ? await bench.offer('provider_a') : await bench.ask('provider_a');
    bench.world.simulators.core.outbox.switches.drop = true;
    jest.spyOn(providerA, 'fetchCheckout').mockResolvedValue({ kind: 'unknown', reason: 'no answer' });
    expect(await daysAfterDeadline(checkout, -1 / 24)).toMatchObject({ status: 'open' });
    expect(await daysAfterDeadline(checkout, 2)).toMatchObject({ status: 'open' });

    const over = await daysAfterDeadline(checkout, 4);
    expect(over.status).toBe('expired');
    expect(over.failure).toContain('did not confirm within days');
    expect(await isLookedFor(checkout)).toBe(false);
    // As a webhook about it would do.
    await bench.rows('UPDATE tollgate.checkouts SET next_wake_at = now() WHERE id = $1', [checkout.id]);
    await daysAfterDeadline(checkout, 5);
    const type = isPlan ? 'SUBSCRIPTION_CREATED' : 'PAYMENT_RECORDED';
    expect(await bench.eventsOf(type, checkout.id)).toMatchObject([
      { status: 'ERROR', message: expect.stringContaining('has not said whether it was paid') as string },
    ]);
  },
);

test('while the key may not read what was paid, the checkout says so; once it may, the checkout is complete', async () => {
  const { simulators, secrets } = bench.world;
  const secretKey = secrets.provider_a['secretKey'] ?? '';
  const account = simulators.providers.a.account({ secretKey });
  simulators.core.outbox.switches.drop = true;
  const [paid, unpaid] = [await bench.offer('provider_a'), await bench.offer('provider_a')];
  await bench.pay('provider_a', paid);
  const lacks = expect.stringContaining('does not permit this') as string;
  account.withhold(['invoice_read']);
  try {
    expect(await daysAfterDeadline(paid, -1 / 24)).toMatchObject({ status: 'open', failure: lacks });
    expect((await bench.show(paid.id)).failure).toContain('(lacks rak_invoice_read, request req_');
    expect(await daysAfterDeadline(unpaid, 1)).toMatchObject({ status: 'open', failure: lacks });
  } finally {
    account.withhold([]);
  }
  expect(await daysAfterDeadline(unpaid, 2)).toMatchObject({ status: 'expired', failure: null });
  expect(await daysAfterDeadline(paid, 2.1)).toMatchObject({ status: 'complete', failure: null });
});

test('a checkout whose provider refuses to be read for days ends with an event that says why', async () => {
  const checkout = await bench.offer('provider_a');
  const reason = 'The key is not permitted.';
  const refused = { kind: 'declined', code: 'permission_denied', reason } as const;
  jest.spyOn(providerA, 'fetchCheckout').mockResolvedValue(refused);
  for (const days of [-1 / 24, 2, 4]) await daysAfterDeadline(checkout, days);
  expect(await bench.eventsOf('SUBSCRIPTION_CREATED', checkout.id)).toMatchObject([
    {
      status: 'ERROR',
      message: expect.stringContaining(`was paid. ${reason} Test the connection`) as string,
    },
  ]);
});
