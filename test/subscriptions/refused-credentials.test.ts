import { randomUUID } from 'node:crypto';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import { createKeyRing } from '../../src/credentials/key-ring';
import { createDriftReports } from '../../src/drift/drift-reports';
import type { PaymentProvider } from '../../src/domain/provider';
import { connect } from '../connections/connection-calls';
import { createTestAdapters } from '../support/adapters';
import { testSecrets } from '../support/service';
import { useProviderWorld } from '../support/use-provider-world';
import { useStarted } from '../support/use-started';

/** A connection whose key the provider revokes, and nobody tests it: the daily comparison notices. */
const world = useProviderWorld({ planted: { differences: true } });
/** Providers that know no key: each call is answered as with one that was revoked. */
const strangers = useStarted(
  () => startSimulators({ retryDelaysMs: [], real: Date.now }),
  (simulators) => simulators.stop(),
);
/** Each keeps its own tokens of provider B, as before and after their expiry. */
const accepting = createTestAdapters();
const refusing = createTestAdapters();
let reports: Record<'accepting' | 'refusing', ReturnType<typeof createDriftReports>>;

beforeAll(async () => {
  const database = world.service.open('tollgate_worker', 2);
  const reportsAt = (
    { urls: { a, b, c } }: Pick<RunningSimulators, 'urls'>,
    providerAdapters: typeof accepting,
  ) =>
    createDriftReports({
      database,
      clock: world.service.clock,
      keyRing: createKeyRing(testSecrets.credentialKeys),
      providerUrls: { provider_a: a, provider_b: b, provider_c: c },
      providerAdapters,
    });
  reports = {
    accepting: reportsAt(world.simulators, accepting),
    refusing: reportsAt(strangers, refusing),
  };
  for (const provider of ['provider_a', 'provider_a', 'provider_b', 'provider_c'] as const)
    await world.subscribe(provider);
});
afterEach(() => {
  jest.restoreAllMocks();
  world.simulators.core.faults.clear();
});

const report = (which: keyof typeof reports, provider: PaymentProvider = 'provider_a') =>
  reports[which].report(world.scope, world.connections[provider], null);
const pathOf = (provider: PaymentProvider) => `/api/provider-connections/${world.connections[provider]}`;
const forget = (provider: PaymentProvider = 'provider_a') =>
  world.operator.patch(pathOf(provider), { body: { settings: { note: randomUUID() } } });

async function shown(provider: PaymentProvider = 'provider_a') {
  const { testedAt, failedChecks } = (await world.operator.get(pathOf(provider))).body;
  const { attention } = (await world.operator.get('/api/overview')).body as {
    attention: Record<string, unknown>;
  };
  return { testedAt, failedChecks, onHome: attention['connectionTests'] };
}

test.each(['provider_a', 'provider_b', 'provider_c'] as const)(
  'a revoked key of %s shows on Home without a test by an operator, until the key works again',
  async (provider) => {
    const failing = jest.spyOn(refusing[provider], 'testConnection');
    const succeeding = jest.spyOn(accepting[provider], 'testConnection');
    await report('accepting', provider);
    expect(await shown(provider)).toEqual({ testedAt: null, failedChecks: [], onHome: 0 });
    expect(await report('refusing', provider)).toMatchObject({ after: null });
    const noticed = await shown(provider);
    expect(noticed).toMatchObject({ testedAt: expect.any(String) as string, onHome: 1 });
    expect(noticed.failedChecks).toContain('authentication');
    // Once, not for each subscription.
    expect(failing).toHaveBeenCalledTimes(1);
    await report('accepting', provider);
    expect(await shown(provider)).toMatchObject({ failedChecks: [], onHome: 0 });
    await report('accepting', provider);
    expect(succeeding).toHaveBeenCalledTimes(1);
    await forget(provider);
  },
);

test.each(['provider_a', 'provider_b', 'provider_c'] as const)(
  'a revoked key of %s is noticed also before anything is sold with it',
  async (provider) => {
    const { settings } = (await world.operator.get(pathOf(provider))).body;
    const id = await connect(world.operator, {
      provider,
      secrets: world.secrets[provider],
      settings: settings as object,
    });
    const report = (which: keyof typeof reports) => reports[which].report(world.scope, id, null);
    const path = `/api/provider-connections/${id}`;
    const failed = async () => (await world.operator.get(path)).body['failedChecks'];
    await report('accepting');
    world.fault(provider, '/', 'answer_500', Infinity);
    await report('accepting');
    world.simulators.core.faults.clear();
    expect(await failed()).toEqual([]);
    await report('refusing');
    expect(await failed()).toContain('authentication');
    await report('accepting');
    expect(await failed()).not.toContain('authentication');
    expect((await world.operator.delete(path)).status).toBe(200);
  },
);

test('an outage, and one subscription out of reach, are no refusal', async () => {
  const tested = jest.spyOn(accepting.provider_a, 'testConnection');
  world.fault('provider_a', '/v1/subscriptions', 'answer_500', Infinity);
  expect(await report('accepting')).toMatchObject({ compared: 2, unread: 2 });
  world.simulators.core.faults.clear();
  jest
    .spyOn(accepting.provider_a, 'fetchBilledSubscription')
    .mockResolvedValueOnce({ kind: 'declined', code: 'permission_denied', reason: 'Not allowed.' });
  expect(await report('accepting')).toMatchObject({ compared: 2, unread: 1 });
  expect(tested).not.toHaveBeenCalled();
  expect(await shown()).toEqual({ testedAt: null, failedChecks: [], onHome: 0 });
});

describe('a result that comes late', () => {
  /** Acts while the report's test waits for the provider. */
  function meanwhile(act: () => Promise<unknown>): void {
    const test = refusing.provider_a.testConnection.bind(refusing.provider_a);
    jest.spyOn(refusing.provider_a, 'testConnection').mockImplementationOnce(async (access) => {
      const checks = await test(access);
      await act();
      return checks;
    });
  }

  test('says nothing about credentials that were saved meanwhile', async () => {
    meanwhile(() =>
      world.operator.patch(pathOf('provider_a'), { body: { secrets: world.secrets.provider_a } }),
    );
    await report('refusing');
    expect(await shown()).toEqual({ testedAt: null, failedChecks: [], onHome: 0 });
  });

  test('does not replace that of a later test', async () => {
    meanwhile(async () => {
      world.service.clock.ahead += 1_000;
      await world.operator.post(`${pathOf('provider_a')}/test`);
    });
    await report('refusing');
    expect(await shown()).toMatchObject({ testedAt: expect.any(String) as string, failedChecks: [] });
    await forget();
  });
});

test('a disabled connection is not tested, also if it is disabled during the report', async () => {
  const tested = [accepting, refusing].map((each) => jest.spyOn(each.provider_a, 'testConnection'));
  const disable = (disabled: boolean) => world.operator.patch(pathOf('provider_a'), { body: { disabled } });
  jest.spyOn(accepting.provider_a, 'fetchBilledSubscription').mockImplementation(async () => {
    await disable(true);
    return { kind: 'declined', code: 'authentication_failed', reason: 'Invalid API key.' };
  });
  expect(await report('accepting')).toMatchObject({ unread: 2 });
  await report('refusing');
  for (const each of tested) expect(each).not.toHaveBeenCalled();
  await disable(false);
  expect(await shown()).toEqual({ testedAt: null, failedChecks: [], onHome: 0 });
});

test('nothing is recorded of it but the result: no audit record, no event', async () => {
  const count = () =>
    world.service.database.query(
      `SELECT (SELECT count(*)::int FROM tollgate.audit_records) AS audits,
              (SELECT count(*)::int FROM tollgate.developer_events) AS events`,
    );
  const before = await count();
  await report('refusing');
  expect((await shown()).onHome).toBe(1);
  expect(await count()).toEqual(before);
});

test('a report in several parts tests once, in its last part', async () => {
  await forget();
  // One part has 25.
  for (let count = 2; count < 26; count += 1) await world.subscribe('provider_a');
  expect(await report('refusing')).toMatchObject({ compared: 25, after: null });
  expect((await shown()).onHome).toBe(1);
  const tested = jest.spyOn(accepting.provider_a, 'testConnection');
  const { after } = await report('accepting');
  expect(after).not.toBeNull();
  expect(tested).not.toHaveBeenCalled();
  await reports.accepting.report(world.scope, world.connections.provider_a, after);
  expect(tested).toHaveBeenCalledTimes(1);
  expect(await shown()).toMatchObject({ failedChecks: [], onHome: 0 });
});
