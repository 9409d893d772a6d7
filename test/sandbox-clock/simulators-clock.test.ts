import { createSimulatorsClock } from '../../src/sandbox-clock/simulators-clock';
import { findFreePort } from '../../src/embedded/free-port';
import { createLogger } from '../../src/telemetry/logger';
import { DAY_MS } from '../../src/domain/instant';
import { startSimulators } from '../../simulators/start';
import { logIn } from '../support/operator';
import { useService } from '../support/use-service';

const log = createLogger('test', 'fatal');

test('the simulated providers’ clock goes where the sandbox’s went', async () => {
  const simulators = await startSimulators();
  try {
    const to = Date.now() + 40 * DAY_MS;
    await createSimulatorsClock(simulators.urls.control, log)(to);
    expect(simulators.core.clock.now()).toBeGreaterThanOrEqual(to);
    expect(simulators.core.clock.now()).toBeLessThan(to + DAY_MS);
  } finally {
    await simulators.stop();
  }
});

test('simulators that are not there keep no sandbox from advancing', async () => {
  const nobody = `http://127.0.0.1:${await findFreePort()}`;
  await expect(createSimulatorsClock(nobody, log)(Date.now())).resolves.toBeUndefined();
});

describe('the sandboxes that the simulated providers’ clock follows', () => {
  const followed: number[] = [];
  const service = useService({
    clockFollower: (now) => {
      followed.push(now);
      return Promise.resolve();
    },
  });
  beforeEach(() => followed.splice(0));
  const connection = { provider: 'provider_c', displayName: 'C' };

  test('are those with a connection: another one leaves the others’ subscriptions in their time', async () => {
    const alone = await logIn(service, { role: 'admin' });
    const [first, second] = [40, 80].map((days) => Date.now() + days * DAY_MS);
    const advance = async (to = 0) =>
      alone.post('/api/sandbox/clock', { body: { to: new Date(to).toISOString() } });

    expect(await advance(first)).toMatchObject({ status: 200 });
    expect(
      await alone.post('/api/provider-connections', { env: 'production', body: connection }),
    ).toMatchObject({
      status: 201,
    });
    expect(followed).toEqual([]);

    expect(await alone.post('/api/provider-connections', { body: connection })).toMatchObject({
      status: 201,
    });
    expect(followed).toEqual([expect.closeTo(first ?? 0, -4)]);
    expect(await advance(second)).toMatchObject({ status: 200 });
    expect(followed.slice(1)).toEqual([second]);
  });

  test('are not moved by a connection of a sandbox that was not advanced', async () => {
    const operator = await logIn(service, { role: 'admin' });
    expect(await operator.post('/api/provider-connections', { body: connection })).toMatchObject({
      status: 201,
    });
    expect(followed).toEqual([]);
  });
});
