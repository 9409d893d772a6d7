import { runScenario } from '../../endurance/run-scenario';
import { rollingRestart } from '../../endurance/scenarios/rolling-restart';

test('a rolling restart, for a moment', async () => {
  await runScenario(rollingRestart, { restarts: 1, aSecond: 20, drainSeconds: 10 });
});
