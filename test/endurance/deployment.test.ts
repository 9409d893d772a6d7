import { runScenario } from '../../endurance/run-scenario';
import { deployment } from '../../endurance/scenarios/deployment';

test('a deployment under way, with few subscriptions', async () => {
  const figures = await runScenario(deployment, { subscriptions: 40, rounds: 1, atOnce: 4 });
  expect(figures).toMatchObject({ 'periods renewed, each once': 80 });
  expect(Number(figures['of them in the newer shape'])).toBeGreaterThan(0);
});
