import { createSimulatorsClock } from '../../src/sandbox-clock/simulators-clock';
import { findFreePort } from '../../src/embedded/free-port';
import { createLogger } from '../../src/telemetry/logger';
import { DAY_MS } from '../../src/domain/instant';
import { startSimulators } from '../../simulators/start';

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
