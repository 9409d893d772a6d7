import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import type { CheckoutInput, OperationCommand } from '../../workflows/messages';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { FakeProviderCheckout, POLL_MS, settling } from './fake-provider-checkout';
import { SkippedTime } from './time-skipping';

const time = useStarted(() => SkippedTime.start());

function input(): CheckoutInput {
  return { workspaceId: 'org_test', environment: 'sandbox', checkoutId: `chk_${randomUUID()}` };
}
function command(): OperationCommand {
  return { operationId: `op_${randomUUID()}`, attempt: randomUUID() };
}
const idOf = ({ checkoutId }: CheckoutInput): string => `checkout/sandbox/${checkoutId}`;
const now = (): Promise<number> => time.environment.currentTimeMs();
const fakeCheckout = (): FakeProviderCheckout => new FakeProviderCheckout(now, DAY_MS);

function working(fake: FakeProviderCheckout, work: () => Promise<void>): Promise<void> {
  return time.working(fake.billing, work, fake.providers);
}

test('is made by its command, read back while no webhook comes, and over when the provider says it is paid', async () => {
  const [checkout, fake] = [input(), fakeCheckout()];
  fake.finding = ['open', 'open', 'paid'];
  await working(fake, async () => {
    expect(await time.commandCheckout(checkout, command())).toBe('applied');
    await time.pass(3 * HOUR_MS);
    await time.completed(idOf(checkout));
  });
  expect(fake.created).toHaveLength(1);
  expect(fake.settled).toHaveLength(3);
  const [made = 0] = fake.created;
  expect(fake.settled[0]?.at).toBeGreaterThanOrEqual(made + POLL_MS);
});

test('a webhook’s poke has the provider read at once', async () => {
  const [checkout, fake] = [input(), fakeCheckout()];
  fake.finding = ['paid'];
  await working(fake, async () => {
    await time.commandCheckout(checkout, command());
    const at = await now();
    fake.view = settling(at + DAY_MS, at);
    await time.pokeCheckout(checkout);
    await until(() => fake.settled.length === 1);
    await time.completed(idOf(checkout));
  });
  expect(fake.settled[0]?.at).toBeLessThan((fake.created[0] ?? 0) + POLL_MS);
});

test('at its deadline the provider is read once more before it is over', async () => {
  const [checkout, fake] = [input(), fakeCheckout()];
  await working(fake, async () => {
    await time.commandCheckout(checkout, command());
    await time.pass(DAY_MS + 60_000);
    await time.completed(idOf(checkout));
  });
  expect(fake.view).toMatchObject({ open: false, atProvider: null });
  expect(fake.settled.at(-1)?.at).toBeGreaterThanOrEqual(fake.view?.expiresAt ?? Infinity);
});

test('an outcome that is not known is asked for again until it is', async () => {
  const [checkout, fake] = [input(), fakeCheckout()];
  fake.making = ['unknown', 'unknown'];
  fake.finding = ['paid'];
  await working(fake, async () => {
    expect(await time.commandCheckout(checkout, command())).toBe('pending');
    await time.pass(10 * 60_000);
    await time.completed(idOf(checkout));
  });
  expect(fake.created).toHaveLength(3);
});

test('a worker that cannot even write a doubt down leaves the row, which is gone on with', async () => {
  const [checkout, fake] = [input(), fakeCheckout()];
  fake.making = [new Error('away'), new Error('away'), new Error('away')];
  fake.finding = ['paid'];
  await working(fake, async () => {
    expect(await time.commandCheckout(checkout, command())).toBe('pending');
    expect(fake.created).toHaveLength(3);
    await time.pass(10 * 60_000);
    await time.completed(idOf(checkout));
  });
  expect(fake.created).toHaveLength(4);
});

test('what is refused is over, and the next attempt is a command of its own', async () => {
  const [checkout, fake] = [input(), fakeCheckout()];
  fake.making = ['refused'];
  fake.finding = ['paid'];
  await working(fake, async () => {
    expect(await time.commandCheckout(checkout, command())).toBe('applied');
    await time.completed(idOf(checkout));
    fake.view = null;
    expect(await time.commandCheckout(checkout, command())).toBe('applied');
    await time.pass(POLL_MS + 60_000);
    await time.completed(idOf(checkout));
  });
  expect(fake.created).toHaveLength(2);
});

test('given up, it goes on asking until the provider has said', async () => {
  const [checkout, fake] = [input(), fakeCheckout()];
  fake.finding = ['unknown', 'unknown', 'open'];
  await working(fake, async () => {
    await time.commandCheckout(checkout, command());
    expect(await time.commandCheckout(checkout, command(), 'give_up')).toBe('pending');
    await time.pass(10 * 60_000);
    await time.completed(idOf(checkout));
  });
  expect(fake.settled.map(({ givenUp }) => givenUp)).toEqual([true, true, true]);
  expect(fake.view?.open).toBe(false);
});

test('a poke goes on with what a run that is gone has left: to be made, to be read, to be ended there', async () => {
  for (const task of ['create', 'settle', 'end'] as const) {
    const [checkout, fake] = [input(), fakeCheckout()];
    const at = await now();
    const view = settling(at + DAY_MS, at);
    fake.view = {
      ...view,
      open: task !== 'end',
      atProvider: { task: task === 'create' ? 'create' : 'settle', at },
    };
    fake.finding = ['paid'];
    await working(fake, async () => {
      await time.pokeCheckout(checkout);
      if (task === 'create') await time.pass(POLL_MS + 60_000);
      await time.completed(idOf(checkout));
    });
    expect([fake.created.length, fake.settled.length]).toEqual([task === 'create' ? 1 : 0, 1]);
  }
});
