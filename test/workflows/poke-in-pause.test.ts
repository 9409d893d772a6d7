import { DAY_MS } from '../../src/domain/instant';
import { PREPARE_WINDOW_MS } from '../../src/domain/synchronizer-marker';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { monthlyView } from './fake-billing';
import { FakeProviderBilling } from './fake-provider-billing';
import { FakeProviderCheckout } from './fake-provider-checkout';
import { SkippedTime } from './time-skipping';

const CHECKOUT = 'checkout/sandbox/chk_poked';

const time = useStarted(() => SkippedTime.start());

/**
 * Runs a downgrade at provider A whose preparation fails without a retry time, and pokes the workflow while it pauses
 * because of that. The pause does not end by itself.
 *
 * @param change what the poke reports
 * @param seen whether the workflow has done all that it should
 */
async function pokedInPause(
  change: (billing: FakeProviderBilling) => void,
  seen: (billing: FakeProviderBilling) => boolean,
): Promise<FakeProviderBilling> {
  const now = await time.environment.currentTimeMs();
  const billing = new FakeProviderBilling(
    monthlyView(now - DAY_MS, now, {
      provider: 'provider_a',
      scheduled: { planSlug: 'starter', seats: 5 },
      scheduledInterval: 'month',
      cancelAtPeriodEnd: false,
      work: { unsettled: null, request: null, sync: null, lookAgainAt: null },
    }),
  );
  billing.luck = ['fails for good'];
  const sub = { workspaceId: 'org_test', environment: 'sandbox', subscriptionId: `sub_${now}` } as const;
  const test = async (): Promise<void> => {
    const handle = await time.poke(sub);
    await time.pass(billing.row.currentPeriodEnd - PREPARE_WINDOW_MS + 1_000 - now);
    await until(async () => (await summaries(handle)).includes('"The provider is asked again."'));
    const before = await timersFired(handle.workflowId);
    change(billing);
    await time.poke(sub);
    await until(() => seen(billing));
    billing.row = { ...billing.row, status: 'cancelled' };
    await time.poke(sub);
    await time.completed(handle.workflowId);
    expect(await timersFired(handle.workflowId)).toBe(before);
  };
  await time.working(billing.billing, test, billing.providers);
  return billing;
}

async function summaries(handle: Awaited<ReturnType<SkippedTime['poke']>>): Promise<(string | undefined)[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).map(({ userMetadata }) => userMetadata?.summary?.data?.toString());
}

/** Counts the timers that have fired: not that of a pause which a poke has ended. */
async function timersFired(workflowId: string): Promise<number> {
  const { events } = await time.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter(({ timerFiredEventAttributes: fired }) => fired).length;
}

test('a poke while the workflow pauses for the provider has the step taken at once', async () => {
  const billing = await pokedInPause(
    () => undefined,
    ({ work }) => work.sync?.state === 'prepared',
  );
  expect(billing.effects).toEqual(['told of starter']);
  expect(billing.requests).toHaveLength(2);
});

test('a poke while the workflow pauses for the provider has the row read before the provider is asked', async () => {
  const billing = await pokedInPause(
    (poked) => {
      poked.row = { ...poked.row, scheduled: null, scheduledInterval: null };
    },
    () => true,
  );
  expect(billing.effects).toEqual([]);
  expect(billing.requests).toHaveLength(1);
});

test('a poke while a checkout pauses for the provider has it asked at once', async () => {
  const now = (): Promise<number> => time.environment.currentTimeMs();
  const fake = new FakeProviderCheckout(now, DAY_MS);
  const away = (): Error => Object.assign(new Error('away'), { stack: '' });
  fake.making = [away(), away(), away()];
  fake.finding = ['paid'];
  const checkout = { workspaceId: 'org_test', environment: 'sandbox', checkoutId: 'chk_poked' } as const;
  const work = async (): Promise<void> => {
    const command = { operationId: 'op_poked', attempt: 'attempt_poked' };
    expect(await time.commandCheckout(checkout, command)).toBe('pending');
    const before = await timersFired(CHECKOUT);
    await time.pokeCheckout(checkout);
    await until(() => fake.created.length === 4);
    expect(await timersFired(CHECKOUT)).toBe(before);
    await time.pass(10 * 60_000);
    await time.completed(CHECKOUT);
  };
  await time.working(fake.billing, work, fake.providers);
  expect(fake.created).toHaveLength(4);
});
