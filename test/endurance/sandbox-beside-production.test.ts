import { runScenario } from '../../endurance/run-scenario';
import { sandboxBesideProduction } from '../../endurance/scenarios/sandbox-beside-production';

test('production’s commands beside a sandbox that catches up, for a moment', async () => {
  const figures = await runScenario(sandboxBesideProduction, { commands: 5, subscriptions: 3, years: 1 });
  expect(figures).toHaveProperty('p50 meanwhile over idle');
});
