import type { PaymentFacts } from '../../src/providers/canonical-event';
import type { ConnectionAccess } from '../../src/providers/connection-access';
import { limitConnections } from '../../src/providers/connection-limits';
import type { Outcome } from '../../src/providers/outcome';
import type { ConnectionCheck, ProviderAdapter, WebhookVerdict } from '../../src/providers/provider-adapter';
import { NO_OPERATIONS } from '../webhooks/no-operations';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const SECOND_MS = 1_000;
const ANSWER = { kind: 'declined', code: 'fake', reason: 'Answered.' } as const;

/** A provider that answers only when the test says so, and counts the calls under way per connection. */
class SlowProvider {
  readonly underWay = new Map<string, number>();
  readonly begun: string[] = [];
  most = 0;
  private readonly open: { connectionId: string; answer: () => void }[] = [];

  /** Answers the oldest `count` open calls of a connection, or all if there are fewer. */
  async answer(connectionId: string, count = 1): Promise<void> {
    for (let answered = 0; answered < count; answered += 1) {
      const index = this.open.findIndex((call) => call.connectionId === connectionId);
      const [call] = index < 0 ? [] : this.open.splice(index, 1);
      call?.answer();
      await settle();
    }
  }

  async call<T>({ connectionId }: ConnectionAccess, value: T): Promise<T> {
    this.begun.push(connectionId);
    const now = (this.underWay.get(connectionId) ?? 0) + 1;
    this.underWay.set(connectionId, now);
    this.most = Math.max(this.most, now);
    await new Promise<void>((answer) => this.open.push({ connectionId, answer }));
    this.underWay.set(connectionId, (this.underWay.get(connectionId) ?? 0) - 1);
    return value;
  }

  readonly adapter: ProviderAdapter = {
    ...NO_OPERATIONS,
    provider: 'provider_b',
    readEvent: () => {
      throw new Error('The bytes are no event.');
    },
    testConnection: (access) => this.call<ConnectionCheck[]>(access, []),
    verifyWebhook: (access) => this.call<WebhookVerdict>(access, 'valid'),
    fetchSubscription: (access) => this.call(access, ANSWER),
    fetchPayment: (access) => this.call<Outcome<PaymentFacts>>(access, ANSWER),
    fetchRefund: (access) => this.call(access, ANSWER),
  };
}

/** Lets everything run that needs no time to pass. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function accessOf(connectionId: string): ConnectionAccess {
  return { connectionId, apiMode: 'sandbox', secretVersion: 1, secrets: {}, settings: {} };
}

function limited(
  bounds: { atOnce?: number; waiting?: number; aSecond?: number } = {},
  verification: 'asks' | 'computes' = 'asks',
) {
  const provider = new SlowProvider();
  const all = { atOnce: 3, waiting: 5, aSecond: 100, longestWaitMs: 10 * SECOND_MS, ...bounds };
  const options = { verification, bounds: { sandbox: all, live: all } };
  const adapter = limitConnections(provider.adapter, options);
  const fetch = (connectionId: string, count: number) =>
    Array.from({ length: count }, () => adapter.fetchPayment(accessOf(connectionId), 'payment', 'pay_fake'));
  return { provider, adapter, fetch };
}

const verify = (adapter: ProviderAdapter, connectionId: string) =>
  adapter.verifyWebhook(accessOf(connectionId), {
    bytes: Buffer.from('{}'),
    headers: {},
    rawHeaders: [],
    receivedAt: Date.now(),
  });

test('one connection has a limited number of calls in progress and waiting; the rest is refused with a reason', async () => {
  const { provider, fetch } = limited();
  const calls = fetch('con_one', 10);
  await settle();
  expect(provider.begun).toHaveLength(3);
  const turnedAway = await Promise.all(calls.slice(8));
  expect(turnedAway.map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
  expect(turnedAway[0]).toMatchObject({ reason: expect.stringContaining('wait') as string });

  await provider.answer('con_one', 8);
  expect(await Promise.all(calls.slice(0, 8))).toEqual(Array.from({ length: 8 }, () => ANSWER));
  expect([provider.begun.length, provider.most]).toEqual([8, 3]);
  // There is capacity again.
  const [again] = fetch('con_one', 1);
  await settle();
  await provider.answer('con_one');
  expect(await again).toEqual(ANSWER);
});

test('a deployment’s setting replaces the default, in the mode that it is set for', async () => {
  const provider = new SlowProvider();
  const bounds = { sandbox: { atOnce: 2 }, live: {} };
  const options = { verification: 'asks', bounds } as const;
  const adapter = limitConnections(provider.adapter, options);
  const fetch = (access: ConnectionAccess) => {
    for (let call = 0; call < 20; call += 1) void adapter.fetchPayment(access, 'payment', 'pay_fake');
  };
  fetch(accessOf('con_sandbox'));
  fetch({ ...accessOf('con_live'), apiMode: 'live' });
  await settle();
  expect([provider.underWay.get('con_sandbox'), provider.underWay.get('con_live')]).toEqual([2, 8]);
});

test('one connection’s month end does not hold up another connection', async () => {
  const { provider, fetch } = limited();
  void fetch('con_busy', 50);
  const [other] = fetch('con_other', 1);
  await settle();
  await provider.answer('con_other');
  expect(await other).toEqual(ANSWER);
  expect(provider.underWay.get('con_busy')).toBe(3);
});

test('verifications have bounds of their own: a flood of them takes nothing from other calls or connections', async () => {
  const { provider, adapter, fetch } = limited();
  const flood = Array.from({ length: 30 }, () => verify(adapter, 'con_flooded'));
  await settle();
  expect(provider.underWay.get('con_flooded')).toBe(3);
  expect(await Promise.all(flood.slice(8))).toEqual(Array.from({ length: 22 }, () => 'unavailable'));
  const [own] = fetch('con_flooded', 1);
  const other = verify(adapter, 'con_other');
  await settle();
  expect(provider.underWay.get('con_flooded')).toBe(4);
  await provider.answer('con_other');
  expect(await other).toBe('valid');
  await provider.answer('con_flooded', 9);
  expect(await own).toEqual(ANSWER);
  expect(await Promise.all(flood.slice(0, 8))).toEqual(Array.from({ length: 8 }, () => 'valid'));
});

test('a verification without a call does not wait', async () => {
  const { provider, adapter } = limited({}, 'computes');
  const verdicts = Array.from({ length: 30 }, () => verify(adapter, 'con_one'));
  await settle();
  expect(provider.underWay.get('con_one')).toBe(30);
  await provider.answer('con_one', 30);
  expect(new Set(await Promise.all(verdicts))).toEqual(new Set(['valid']));
});

test('no more calls begin in a second than a connection may make; another connection has its own number', async () => {
  const { provider, fetch } = limited({ atOnce: 20, aSecond: 4 });
  const begun = (connectionId: string) => provider.begun.filter((one) => one === connectionId).length;
  void fetch('con_one', 10);
  void fetch('con_two', 2);
  await settle();
  expect([begun('con_one'), begun('con_two')]).toEqual([4, 2]);
  await jest.advanceTimersByTimeAsync(SECOND_MS - 1);
  expect(begun('con_one')).toBe(4);
  await jest.advanceTimersByTimeAsync(1);
  expect(begun('con_one')).toBe(8);
  await jest.advanceTimersByTimeAsync(SECOND_MS);
  expect(begun('con_one')).toBe(10);
});

test('a call that would wait too long for its second is not made, however many may be in progress', async () => {
  const { provider, fetch } = limited({ atOnce: 100, aSecond: 2 });
  const calls = fetch('con_one', 40);
  await jest.advanceTimersByTimeAsync(60 * SECOND_MS);
  // Two at once, and two in each of the ten seconds that a call may wait.
  expect(provider.begun).toHaveLength(22);
  const late = await Promise.all(calls.slice(22));
  expect(new Set(late.map((outcome) => ('reason' in outcome ? outcome.reason : '')))).toEqual(
    new Set(['The call waited too long for its turn and was not sent.']),
  );
});

test('a machine’s clock that is set back in a busy second holds no call back', async () => {
  const { provider, fetch } = limited({ atOnce: 20, aSecond: 4 });
  void fetch('con_one', 4);
  await settle();
  jest.setSystemTime(Date.now() - 3_600 * SECOND_MS);
  void fetch('con_one', 4);
  await settle();
  expect(provider.begun).toHaveLength(4);
  await jest.advanceTimersByTimeAsync(SECOND_MS);
  expect(provider.begun).toHaveLength(8);
});

test('a call that has waited too long is not made, though the machine’s clock was set back', async () => {
  const { provider, fetch } = limited({ atOnce: 1 });
  const [first, second] = fetch('con_one', 2);
  await settle();
  jest.setSystemTime(Date.now() - 3_600 * SECOND_MS);
  await jest.advanceTimersByTimeAsync(10 * SECOND_MS + 1);
  await provider.answer('con_one');
  expect(await first).toEqual(ANSWER);
  await settle();
  await provider.answer('con_one');
  expect(await second).toMatchObject({ kind: 'unknown' });
});

test('a call whose turn comes too late is not made', async () => {
  const { provider, fetch } = limited({ atOnce: 1 });
  const [first, second] = fetch('con_one', 2);
  await settle();
  await jest.advanceTimersByTimeAsync(10 * SECOND_MS + 1);
  await provider.answer('con_one');
  expect(await first).toEqual(ANSWER);
  expect(await second).toMatchObject({ kind: 'unknown' });
  expect(provider.begun).toHaveLength(1);
});

test('a reason that quotes what was sent comes without the secrets', async () => {
  const { provider, adapter } = limited();
  const [longer, secretKey] = ['sk_test_fake0123456789', 'sk_test_fake0123'];
  provider.adapter.fetchRefund = ({ secrets }) =>
    Promise.resolve({ kind: 'declined', code: 'echo', reason: Object.values(secrets).join(' and ') });
  const access = {
    ...accessOf('con_one'),
    secrets: { secretKey, webhookSecret: `${longer},old`, short: 'a' },
  };
  const outcome = await adapter.fetchRefund(access, 're_fake');
  expect(outcome).toMatchObject({ kind: 'declined', code: 'echo', reason: '•••• and •••• and a' });
});

test('a call that throws gives its place back; “Test connection” says when it is turned away', async () => {
  const { provider, adapter, fetch } = limited({ atOnce: 1, waiting: 0 });
  provider.adapter.fetchRefund = () => Promise.reject(new Error('It broke.'));
  await expect(adapter.fetchRefund(accessOf('con_one'), 're_fake')).rejects.toThrow('It broke.');
  const [held] = fetch('con_one', 1);
  await settle();
  const checks = await adapter.testConnection(accessOf('con_one'));
  expect(checks).toMatchObject([{ check: 'authentication', ok: false }]);
  await provider.answer('con_one');
  expect(await held).toEqual(ANSWER);
});

test('each call is measured under the environment of its connection’s mode', async () => {
  const provider = new SlowProvider();
  const measured: string[] = [];
  const adapter = limitConnections(provider.adapter, {
    verification: 'asks',
    bounds: { sandbox: { atOnce: 1, waiting: 0 }, live: {} },
    observe: (environment, name, outcome) => void measured.push(`${environment} ${name} ${outcome}`),
  });
  const live = { ...accessOf('con_live'), apiMode: 'live' } as const;
  const calls = [live, accessOf('con_test'), accessOf('con_test')].map((access) =>
    adapter.fetchPayment(access, 'payment', 'pay_fake'),
  );
  await settle();
  await provider.answer('con_live');
  await provider.answer('con_test');
  await Promise.all(calls);
  expect(measured.sort()).toEqual([
    'production provider_b declined',
    'sandbox provider_b declined',
    'sandbox provider_b not_sent',
  ]);
});

test('a call that the provider refuses with its key is measured apart from what it declines', async () => {
  const measured: string[] = [];
  const outcomes: Outcome<never>[] = [
    { kind: 'declined', code: 'card_declined', reason: 'No.' },
    { kind: 'declined', code: 'authentication_failed', reason: 'No.' },
    { kind: 'unknown', reason: 'No.', credentialsRefused: true },
  ];
  const { adapter } = new SlowProvider();
  for (const outcome of outcomes) {
    await limitConnections(
      { ...adapter, fetchRefund: () => Promise.resolve(outcome) },
      { verification: 'asks', observe: (_environment, _name, seen) => void measured.push(seen) },
    ).fetchRefund(accessOf('con_one'), 're_fake');
  }
  expect(measured).toEqual(['declined', 'credentials_refused', 'credentials_refused']);
});
