import { runScenario } from '../../endurance/run-scenario';
import { fuzz } from '../../endurance/scenarios/fuzz';

test('mutated requests at every route, for a moment', async () => {
  await runScenario(fuzz, { requests: 600, seed: 1 });
});
