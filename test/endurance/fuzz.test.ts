import { runScenario } from '../../endurance/run-scenario';
import { fuzz } from '../../endurance/scenarios/fuzz';

jest.setTimeout(300_000);

test('mutated requests at every route, for a moment', async () => {
  await runScenario(fuzz, { requests: 400, seed: 1 });
});
