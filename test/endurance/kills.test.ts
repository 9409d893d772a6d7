import { runScenario } from '../../endurance/run-scenario';
import { kills } from '../../endurance/scenarios/kills';

test('ten kills under commands and renewals', async () => {
  const figures = await runScenario(kills, { kills: 10, subscriptions: 4, atOnce: 4 });
  expect(figures).toMatchObject({ 'kills in all': 10, 'periods renewed, each once': 16 });
});
